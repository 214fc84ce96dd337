import { ERROR_CODES, UsageError } from '../errors.js';

/**
 * How many queries a search may make: a query is one text that the victim answers, or, when a prompt is attacked, one pass over the
 * data set.
 *
 * The budget counts the texts that a search asks for the first time, whether the answer then comes from the victim or from a
 * cache that outlived an earlier run: so a run that was killed and goes on asks exactly what an undisturbed one asks.
 */
export class QueryBudget {
  /** The most queries; Infinity when there is no limit. */
  readonly limit: number;
  #used = 0;

  /**
   * @param limit A whole number from 0, or Infinity.
   * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for anything else.
   */
  constructor(limit: number) {
    if (!(limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit >= 0))) {
      throw new UsageError(
        ERROR_CODES.INVALID_OPTION,
        `the query budget is ${limit}, expected a whole number from 0 (leave it out for no limit)`,
      );
    }
    this.limit = limit;
  }

  /** Queries made. */
  get used(): number {
    return this.#used;
  }

  /** Queries left. */
  get left(): number {
    return this.limit - this.#used;
  }

  /** Takes up to `wanted` queries and says how many it got: never more than are left. */
  take(wanted: number): number {
    const got = Math.min(wanted, this.left);
    this.#used += got;
    return got;
  }
}
