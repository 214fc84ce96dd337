declare module 'vader-sentiment' {
  /** Shares of a text and its valence as a whole; the package rounds them. */
  export interface PolarityScores {
    readonly neg: number;
    readonly neu: number;
    readonly pos: number;
    /** In [−1, 1], four decimals. */
    readonly compound: number;
  }
  export const SentimentIntensityAnalyzer: { polarity_scores(text: string): PolarityScores };
}
