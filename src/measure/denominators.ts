/** How many attacks ended in each way. */
export interface OutcomeCounts {
  /** The attack changed the answer. */
  readonly successful: number;
  /** The answer stayed. */
  readonly failed: number;
  /** Not attacked: the answer was wrong before. */
  readonly skipped: number;
  /** The attack broke down. */
  readonly error: number;
}

/** A share with both of its numbers. */
export interface Share {
  readonly numerator: number;
  readonly denominator: number;
  /** numerator / denominator; null when the denominator is 0. */
  readonly rate: number | null;
}

/** The rates that tools and papers print of the same attacks, each with its denominator. */
export interface OutcomeRates {
  /** successful / (successful + failed): TextAttack's attack success rate. */
  readonly successOverAttacked: Share;
  /** successful / all: OpenAttack's attack success rate; skipped and broken attacks count as not successful. */
  readonly successOverAll: Share;
  /** (successful + failed) / (successful + failed + skipped): accuracy before the attack. */
  readonly accuracyBefore: Share;
  /** failed / (successful + failed + skipped): accuracy under attack. */
  readonly accuracyUnderAttack: Share;
}

/**
 * Computes every rate in use from the same counts, so that numbers of different tools can be compared.
 *
 * Broken attacks are part of OpenAttack's denominator alone: what the model would have answered is not known.
 *
 * @param counts whole numbers of at least 0; all 0 gives null rates.
 * @see TextAttack 0.3.11 `attack_success_rate.py`; OpenAttack `attack_eval.py`.
 * @example outcomeRates({ successful: 4, failed: 4, skipped: 2, error: 0 }).successOverAttacked.rate; // 0.5
 */
export function outcomeRates({ successful, failed, skipped, error }: OutcomeCounts): OutcomeRates {
  const attacked = successful + failed;
  const judged = attacked + skipped;
  return {
    successOverAttacked: share(successful, attacked),
    // Where every attack broke down there is nothing to take a rate of.
    successOverAll: judged === 0 ? { ...share(successful, error), rate: null } : share(successful, judged + error),
    accuracyBefore: share(attacked, judged),
    accuracyUnderAttack: share(failed, judged),
  };
}

/**
 * A share of whole numbers.
 *
 * @returns the rate is null when the denominator is 0.
 */
export function share(numerator: number, denominator: number): Share {
  return { numerator, denominator, rate: denominator === 0 ? null : numerator / denominator };
}
