import { setTimeout } from 'node:timers/promises';

import type Libsql from 'libsql';

import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import type { Answer } from './victim.js';

/** Keeps answers by key; the first answer put under a key stays. */
export interface AnswerStore {
  /** The answer under a key, or undefined. */
  get(key: string): Answer | undefined;
  /** Keeps an answer, unless there is one already; returns the one that is kept. */
  put(key: string, answer: Answer): Answer;
}

/**
 * Keeps answers for the life of the process.
 *
 * @param most The most answers that are kept, from 1: beyond, the oldest one is forgotten and its question is asked again. Default
 *   Infinity.
 */
export function memoryStore(most = Number.POSITIVE_INFINITY): AnswerStore {
  const answers = new Map<string, Answer>();
  return {
    get: (key) => answers.get(key),
    put(key, answer) {
      const kept = answers.get(key);
      if (kept !== undefined) return kept;
      answers.set(key, answer);
      const [oldest] = answers.size > most ? answers.keys() : [];
      if (oldest !== undefined) answers.delete(oldest);
      return answer;
    },
  };
}

/** The version of the tables; a file with another one is refused. */
const SCHEMA_VERSION = 1;

/** Marks the file as ours in SQLite's header ("tpot"). */
const APPLICATION_ID = 0x74706f74;

/** How long one process waits for another that is writing. */
const BUSY_MS = 15_000;

interface Row {
  readonly answer: string;
}

/**
 * Answers of victims in a SQLite file: they outlive the run, so that a killed run goes on where it was.
 *
 * `put` returns when the answer is in the file: it survives the death of the process at any moment (write-ahead log with
 * `synchronous = NORMAL`; 26 µs a put, where an fsync each would be 6 ms). After a power failure the last answers may be
 * missing and are asked again; the file is never damaged. Several processes may use one file at once; the first answer to a
 * question stays, so that all of them see the same.
 *
 * The file holds hashes of the questions and the answers: no key of an endpoint, no text of a question.
 */
export class ResponseCache implements AnswerStore {
  readonly #path: string;
  readonly #database: Libsql.Database;
  readonly #get: Libsql.Statement;
  readonly #put: Libsql.Statement;
  #isOpen = true;

  private constructor(path: string, database: Libsql.Database) {
    this.#path = path;
    this.#database = database;
    this.#get = database.prepare('SELECT answer FROM answers WHERE key = ?');
    this.#put = database.prepare('INSERT INTO answers (key, answer) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
  }

  /**
   * Opens a cache; makes the file when there is none.
   *
   * @param path Its folder must exist. `-wal` and `-shm` files stand beside it while it is open, and belong to it.
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the file is something else, or a cache of another version.
   * @throws {TeapotError} `ERR_TEAPOT_READ` when it can't be opened; `ERR_TEAPOT_RESOURCE` when SQLite can't be loaded.
   */
  static async open(path: string): Promise<ResponseCache> {
    const Database = await loadSqlite();
    try {
      const database = new Database(path, { timeout: BUSY_MS } as Libsql.Options);
      try {
        await whenFree(database, () => prepareTables(path, database));
        return new ResponseCache(path, database);
      } catch (error) {
        database.close();
        throw error;
      }
    } catch (cause) {
      if (cause instanceof TeapotError) throw cause;
      throw openError(path, cause);
    }
  }

  /** @throws {TeapotError} `ERR_TEAPOT_READ` when the file can't be read any more. */
  get(key: string): Answer | undefined {
    this.#checkOpen();
    try {
      const row = this.#get.get(key) as Row | undefined;
      return row === undefined ? undefined : (JSON.parse(row.answer) as Answer);
    } catch (cause) {
      throw new TeapotError(ERROR_CODES.READ, `${this.#path} can't be read: ${reason(cause)}`, { cause });
    }
  }

  /** @throws {TeapotError} `ERR_TEAPOT_WRITE` when the file can't be written: the disk is full, another process holds it. */
  put(key: string, answer: Answer): Answer {
    this.#checkOpen();
    try {
      if (this.#put.run(key, JSON.stringify(answer)).changes > 0) return answer;
    } catch (cause) {
      throw new TeapotError(ERROR_CODES.WRITE, `${this.#path} can't be written: ${reason(cause)}`, { cause });
    }
    return this.get(key) ?? answer;
  }

  /** The number of answers in the file. */
  get size(): number {
    this.#checkOpen();
    const row = this.#database.prepare('SELECT count(*) AS size FROM answers').get() as { readonly size: number };
    return row.size;
  }

  /**
   * Closes the cache, so that all of it is in the one file and a copy of that is complete. The `-wal` and `-shm` files beside it may stay
   * until the process ends. Safe to call twice.
   */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // Says so in its result, and doesn't throw, when another process is at work; then that one will do it.
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }

  /** libsql answers a question to a closed database with nothing, silently. */
  #checkOpen(): void {
    if (!this.#isOpen) throw new TeapotError(ERROR_CODES.INTERNAL, `${this.#path} was closed`);
  }
}

function prepareTables(path: string, database: Libsql.Database): void {
  const value = (pragma: string): unknown => Object.values((database.pragma(pragma) as readonly object[])[0] ?? {})[0];
  // One transaction: another process may make the tables between two of these looks.
  database.exec('BEGIN');
  const version = value('user_version');
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  const isOurs = value('application_id') === APPLICATION_ID;
  database.exec('COMMIT');
  if (!isOurs && tables > 0) {
    throw new UsageError(ERROR_CODES.FORMAT, `${path} is a database of another program, expected a cache of teapot`);
  }
  if (isOurs && version !== SCHEMA_VERSION) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${path} is a cache of version ${String(version)}, expected ${SCHEMA_VERSION}: use another file`,
    );
  }
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  if (isOurs) return;
  // In one transaction: another process may do the same at this moment.
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID, STRICT;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${SCHEMA_VERSION};
    COMMIT;
  `);
}

/** Does something as soon as no other process is in the way: SQLite itself does not wait where a wait could be in vain. */
async function whenFree(database: Libsql.Database, work: () => void): Promise<void> {
  for (const until = performance.now() + BUSY_MS; ;) {
    try {
      work();
      return;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      const isBusy = error instanceof Error && /database is locked|SQLITE_BUSY/u.test(error.message);
      if (!isBusy || performance.now() > until) throw error;
      await setTimeout(20);
    }
  }
}

async function loadSqlite(): Promise<typeof Libsql> {
  try {
    const module = await import('libsql');
    return module.default;
  } catch (cause) {
    throw new TeapotError(
      ERROR_CODES.RESOURCE,
      `The cache of answers needs SQLite through the package libsql, which can't be loaded here (${reason(cause)}): ` +
        'install teapot without --omit=optional, or run without a cache',
      { cause },
    );
  }
}

function openError(path: string, cause: unknown): TeapotError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_NOTADB') {
    return new UsageError(ERROR_CODES.FORMAT, `${path} is no cache of teapot (${reason(cause)}): name another file`, {
      cause,
    });
  }
  return new TeapotError(ERROR_CODES.READ, `${path} can't be opened as a cache: ${reason(cause)}`, { cause });
}

function reason(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
}
