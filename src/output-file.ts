import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, fstatSync, rmSync, writeSync } from 'node:fs';
import { access, chmod, constants, copyFile, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGzip } from 'node:zlib';

import { onProcessExit } from './at-exit.js';
import { ERROR_CODES, TeapotError, UsageError } from './errors.js';
import { native } from './native.js';
import { visible } from './visible.js';

/** The name of standard output among files. */
export const STDOUT = '-';

/** The bits of a file's mode that say who may do what with it. */
const PERMISSIONS = 0o7777;

/** The file descriptor of standard output. */
const STDOUT_DESCRIPTOR = 1;

/** Links to links beyond this number are a circle. */
const MOST_LINKS = 40;

/** The reader of standard output has closed it, as `head` does when it has enough: no failure, but nothing more is read. */
export class ClosedOutputError extends Error {
  constructor(cause: unknown) {
    super('standard output was closed by its reader', { cause });
    this.name = 'ClosedOutputError';
  }
}

/** The outputs that are open in this process, by identity, and the names that the user gave them. */
const openOutputs = new Map<string, string>();

/**
 * A file that appears under its name only when it is complete: it is written beside it and renamed at the end. A failed
 * run leaves no half file and destroys no old one. A name ending in `.gz` or `.zst` is compressed.
 *
 * A file that exists keeps its mode, and one with several names (hard links) keeps them: it is written through. A symbolic
 * link stays, and its target is written, whether it exists or not.
 */
export class OutputFile {
  readonly #path: string;
  readonly #target: Target;
  readonly #stream: Writable;
  /** Settles when all that was written is in the file. */
  readonly #done: Promise<void>;
  #failure: Error | undefined;
  #isOpen = true;

  private constructor(path: string, target: Target, stream: Writable, done: Promise<void>) {
    this.#path = path;
    this.#target = target;
    this.#stream = stream;
    this.#done = done;
    done.catch((error: Error) => {
      this.#failure ??= error;
    });
  }

  /**
   * Opens a file for writing, at the start of a run: a path that can't be written is found before the work.
   *
   * @param path A device or a pipe (`/dev/stdout`) is written directly; `-` is standard output.
   * @param options With `isLive`, the file has its name from the start and grows under it: what was in it is gone, and what was
   *   written stays if the run fails or is killed.
   * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be opened; a {@link UsageError} of that code when this process is
   *   already writing it.
   */
  static async open(path: string, options: { readonly isLive?: boolean | undefined } = {}): Promise<OutputFile> {
    const { isLive = false } = options;
    try {
      const target = path === STDOUT ? STANDARD_OUTPUT : await targetOf(path);
      if (isLive && path !== STDOUT) Object.assign(target, { temporary: undefined, isLive });
      const other = openOutputs.get(target.identity);
      if (other !== undefined) {
        throw new UsageError(
          ERROR_CODES.WRITE,
          `${path}: is written already as ${other}; give each output its own file.`,
        );
      }
      if (path === STDOUT) {
        const stream = standardOutputStream();
        return new OutputFile(path, target, stream, finished(stream));
      }
      const file = createWriteStream(target.temporary ?? target.path, {
        flags: target.temporary === undefined ? 'w' : 'wx',
        ...(target.mode !== undefined && { mode: target.mode }),
      });
      await once(file, 'open');
      // The mask of new files doesn't count for one that had its mode before.
      if (target.temporary !== undefined && target.mode !== undefined) await chmod(target.temporary, target.mode);
      target.forget = onProcessExit(() => {
        if (target.temporary !== undefined) rmSync(target.temporary, { force: true });
      });
      if (!target.isDevice) openOutputs.set(target.identity, path);
      const head = compressor(path);
      return new OutputFile(path, target, head, pipeline(head, file));
    } catch (cause) {
      throw writeError(path, cause);
    }
  }

  /** Writes text (as UTF-8) or bytes; waits while the disk is slower than the work. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw writeError(this.#path, this.#failure);
    try {
      if (!this.#stream.write(data)) await Promise.race([once(this.#stream, 'drain'), this.#failed()]);
    } catch (cause) {
      // What broke the stream says why; the stream itself only that it is broken.
      throw writeError(this.#path, await this.#done.then(() => cause).catch((reason: unknown) => reason));
    }
  }

  /** Completes the file: from now on it has its name. */
  async commit(): Promise<void> {
    try {
      this.#stream.end();
      await this.#done;
      const { temporary, path, isWrittenThrough } = this.#target;
      if (temporary !== undefined && isWrittenThrough) {
        await copyFile(temporary, path);
        await rm(temporary, { force: true });
      } else if (temporary !== undefined) await rename(temporary, path);
      this.#close();
    } catch (cause) {
      throw writeError(this.#path, cause);
    }
  }

  /** Gives the file up: nothing stays of it, unless it is live. Safe to call at any time, also after `commit`. */
  async discard(): Promise<void> {
    if (!this.#isOpen) return;
    if (this.#target.isLive === true) this.#stream.end();
    else this.#stream.destroy();
    await this.#done.catch(() => undefined);
    if (this.#target.temporary !== undefined) await rm(this.#target.temporary, { force: true });
    this.#close();
  }

  #close(): void {
    this.#isOpen = false;
    this.#target.forget?.();
    openOutputs.delete(this.#target.identity);
  }

  async #failed(): Promise<never> {
    await this.#done;
    // The file is complete: nobody waits for room in it.
    return new Promise(() => {});
  }
}

/** Where an output is written, and how. */
interface Target {
  /** The file itself, behind all links. */
  readonly path: string;
  /** See {@link fileIdentity}. */
  readonly identity: string;
  /** Where it is written until it is complete; undefined for a device or a pipe. */
  readonly temporary: string | undefined;
  /** The mode of the file that exists. */
  readonly mode: number | undefined;
  /** Whether the finished file is copied into the one that exists, because that has several names. */
  readonly isWrittenThrough: boolean;
  readonly isDevice: boolean;
  /** Whether it is written under its name, and kept as far as it got. */
  readonly isLive?: boolean;
  /** Takes back what was to be done at the exit of the process. */
  forget?: () => void;
}

const STANDARD_OUTPUT: Target = {
  path: STDOUT,
  identity: STDOUT,
  temporary: undefined,
  mode: undefined,
  isWrittenThrough: false,
  isDevice: true,
};

async function targetOf(path: string): Promise<Target> {
  const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (existing?.isDirectory() === true) throw new Error('it is a directory');
  const identity = await identityOf(path, existing);
  if (existing === undefined) {
    const file = await behindLinks(path);
    const temporary = await temporaryIn(dirname(file));
    return { path: file, identity, temporary, mode: undefined, isWrittenThrough: false, isDevice: false };
  }
  const isDevice = !existing.isFile();
  await access(path, constants.W_OK);
  const file = isDevice ? path : await realpath(path);
  return {
    path: file,
    identity,
    temporary: isDevice ? undefined : await temporaryIn(dirname(file)),
    mode: isDevice ? undefined : existing.mode & PERMISSIONS,
    isWrittenThrough: existing.nlink > 1,
    isDevice,
  };
}

/**
 * What tells a file from every other one, under all of its names: device and inode of one that exists, the resolved path of
 * one that doesn't.
 *
 * @param path `-` is the file that standard output is redirected to.
 * @returns Undefined for what may be written or read any number of times: a terminal, a pipe, a device.
 */
export async function fileIdentity(path: string): Promise<string | undefined> {
  const existing = await (path === STDOUT ? Promise.resolve(standardOutputStats()) : stat(path).catch(() => undefined));
  if (existing !== undefined && !existing.isFile()) return undefined;
  if (existing === undefined && path === STDOUT) return undefined;
  return identityOf(path, existing);
}

async function identityOf(path: string, existing: Stats | undefined): Promise<string> {
  if (existing !== undefined) return `${existing.dev}:${existing.ino}`;
  const file = await behindLinks(path);
  const folder = await realpath(dirname(file)).catch(() => resolve(dirname(file)));
  return join(folder, basename(file));
}

/** The path that a link which leads nowhere yet names; any other path as it is. */
async function behindLinks(path: string): Promise<string> {
  let file = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const next = await readlink(file).catch(() => undefined);
    if (next === undefined) return file;
    file = resolve(dirname(file), next);
  }
  throw new Error('its links lead in a circle');
}

function standardOutputStats(): Stats | undefined {
  try {
    return fstatSync(STDOUT_DESCRIPTOR);
  } catch {
    return undefined;
  }
}

/** Temporary names say whose they are: a process that is killed leaves its files, and the next one removes them. */
const TEMPORARY = /^\.teapot-([\da-f]{8})-(\d+)-[\da-f]{12}\.tmp$/u;

/** A machine's own mark: process numbers of another one, on a shared disk, say nothing here. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Folders that were looked through in this process. */
const cleanedFolders = new Set<string>();

async function temporaryIn(folder: string): Promise<string> {
  await removeStale(folder);
  return join(folder, `.teapot-${MACHINE}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
}

/** Whether a name is that of a file that is being written, or that a process left behind which was killed. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Removes the temporary files that processes of this machine left in a folder when they were killed; once a folder. */
async function removeStale(folder: string): Promise<void> {
  const path = resolve(folder);
  if (cleanedFolders.has(path)) return;
  cleanedFolders.add(path);
  for (const name of await readdir(path).catch(() => [])) {
    const [, machine, process] = TEMPORARY.exec(name) ?? [];
    if (machine === MACHINE && !isAlive(Number(process))) {
      await rm(join(path, name), { force: true }).catch(() => undefined);
    }
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Somebody else's process can't be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes a whole stream to a file, safely as {@link OutputFile} does.
 *
 * @param chunks What to write; when it throws, nothing is kept and its error goes on.
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` with the path when it can't be written.
 */
export async function writeFileSafely(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const file = await OutputFile.open(path);
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await file.write(chunk);
    }
    await file.commit();
  } finally {
    await file.discard();
  }
}

/**
 * Writes to standard output and waits until it is written. On a terminal, what it would obey is made visible; anywhere else,
 * the bytes are exact.
 *
 * @param options `styles` lets teapot's own colours pass on a terminal.
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be written.
 * @throws {ClosedOutputError} when its reader has closed it.
 */
export async function writeStandardOutput(
  data: string | Uint8Array,
  options: { readonly styles?: boolean } = {},
): Promise<void> {
  try {
    if (!process.stdout.isTTY) return await writeToDescriptor(data);
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
    await writeToDescriptor(visible(text, options));
  } catch (cause) {
    throw writeError(STDOUT, cause);
  }
}

async function writeToDescriptor(data: string | Uint8Array): Promise<void> {
  const stats = fstatSync(STDOUT_DESCRIPTOR);
  if (stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY)) {
    // The stream would take a part that was written for the whole: a full disk would go unnoticed.
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    for (let at = 0; at < bytes.length; at += writeSync(STDOUT_DESCRIPTOR, bytes, at));
    return;
  }
  await new Promise<void>((done, fail) => {
    process.stdout.write(data, (error) => (error === undefined || error === null ? done() : fail(error)));
  });
}

/** Standard output as a stream, with the rules of {@link writeStandardOutput}. */
function standardOutputStream(): Writable {
  // A character may be cut by the border of two chunks.
  const decoder = new StringDecoder('utf8');
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      const data = process.stdout.isTTY ? decoder.write(Buffer.from(chunk)) : chunk;
      writeStandardOutput(data).then(() => done(), done);
    },
    flush: (done) => {
      writeStandardOutput(decoder.end()).then(() => done(), done);
    },
  }).resume();
}

async function finished(stream: Writable): Promise<void> {
  await new Promise<void>((done, fail) => {
    stream.once('end', done).once('error', fail).once('close', done);
  });
}

function compressor(path: string): Transform {
  if (/\.gz$/iu.test(path)) return createGzip();
  return /\.zst$/iu.test(path) ? createZstd() : new PassThrough();
}

function createZstd(): Transform {
  const { ZstdEncoder } = native();
  const encoder = new ZstdEncoder();
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => done(null, encoder.write(chunk)),
    flush: (done) => done(null, encoder.finish()),
  });
}

/** What the operating system refuses to a process that does nothing wrong, in plain words. */
export const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than the limit of this process (ulimit -f)',
  EMFILE: 'too many open files for this process: raise its limit (ulimit -n)',
  ENFILE: 'too many open files on this machine',
  EROFS: 'the file system is read-only',
  EIO: 'the disk or terminal failed (input/output error)',
  ENOMEM: 'out of memory',
  EAGAIN: 'the limit of processes or memory is reached (ulimit -u)',
};

/** The error of an output that can't be written: it names the file, or standard output (`-`), and the reason. */
export function writeError(path: string, cause: unknown): Error {
  if (cause instanceof TeapotError || cause instanceof ClosedOutputError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (path === STDOUT && code === 'EPIPE') return new ClosedOutputError(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = SYSTEM_REASONS[code] ?? message.replace(/^[A-Z]+: /, '').replace(/, \w+(?: '.*')?$/s, '');
  const name = path === STDOUT ? 'standard output' : path;
  return new TeapotError(ERROR_CODES.WRITE, `${name} can't be written: ${reason}.`, { cause });
}
