/** Something that stops no start and that an operator should mend or know. */
export interface Warning {
  readonly warning: string;
}

/** What a check of the doctor found: all is well, in words, or a warning. A check that fails throws. */
export type CheckAnswer = string | Warning;
