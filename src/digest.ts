import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Larger programs are rare, and would be read again at every start. */
const LARGEST_HASHED_BYTES = 16 * 1024 * 1024;

/** SHA-256 of a text's UTF-16 units (through JSON, so that lone surrogates stay different), in hexadecimal. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/**
 * Says which version of a file this is: for signatures, so that a cache doesn't answer for a program that was edited.
 *
 * @param largest Files above this many bytes are told apart by size and time of change instead of their content. Default 16 MiB.
 * @returns A hash of its content, or undefined when it is no regular file.
 */
export async function fileDigest(path: string, largest = LARGEST_HASHED_BYTES): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  if (found.size > largest) return digest([found.size, found.mtimeMs]);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
