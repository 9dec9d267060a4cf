/** One value of a chart. */
export interface Bar {
  /** What the bar stands for, such as `3 November`. */
  readonly label: string;
  readonly value: number;
}
