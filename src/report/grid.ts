/** A column of a {@link Grid}. */
export interface GridColumn {
  /** Its heading. */
  readonly name: string;
  /** Numbers stand right, text left. Default left. */
  readonly align?: 'left' | 'right';
}

/** A cell: its text, whether it is the best of its column, and marks of significance after it. */
export type GridCell = string | { readonly text: string; readonly strong?: boolean; readonly mark?: string };

/** A table of finished text, before it gets a format. */
export interface Grid {
  /** A line above the table. */
  readonly title?: string;
  readonly columns: readonly GridColumn[];
  /** Rows of as many cells as there are columns. */
  readonly rows: readonly (readonly GridCell[])[];
}

/** What stands around grids. */
export interface GridSurroundings {
  /** What a reader must know beside the tables, one sentence each. */
  readonly remarks?: readonly string[];
  /** Everything that can change the numbers, in one line. */
  readonly signatures?: readonly string[];
  /** LaTeX: the caption and the label of the first table, which make it a `table`. */
  readonly caption?: string | undefined;
  readonly label?: string | undefined;
}

/** The whole text of a cell, marks included. */
export function cellText(cell: GridCell): string {
  return typeof cell === 'string' ? cell : cell.text + (cell.mark ?? '');
}

/** A grid with rows and columns changed: the headings become the first column, the first column the headings. */
export function transposed({ columns, rows, ...rest }: Grid): Grid {
  const [corner, ...others] = columns;
  return {
    ...rest,
    columns: [
      { name: corner?.name ?? '' },
      ...rows.map(([first = '']) => ({
        name: typeof first === 'string' ? first : first.text,
        align: 'right' as const,
      })),
    ],
    rows: others.map(({ name }, index) => ([name] as GridCell[]).concat(rows.map((row) => row[index + 1] ?? ''))),
  };
}
