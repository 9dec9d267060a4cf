import type { Moment } from "../moments.ts";

/** A learning submission of the demo with its comments. */
export interface StorySubmission {
  at: Moment;
  /** First name of the author. */
  by: string;
  type: "progress_report" | "before_after" | "failure" | "success";
  title: string;
  text: string;
  /** Members who like it. */
  likes: number;
  /** The drawing shown with it: heights of bars in per cent. */
  bars?: readonly number[];
  featured?: true;
  /** Each as "moment Name: text", oldest first. */
  comments?: readonly string[];
}
