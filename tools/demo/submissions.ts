import { firstWeek } from "./submissions/first-week.ts";
import { secondWeek } from "./submissions/second-week.ts";
import { thirdWeek } from "./submissions/third-week.ts";
import type { StorySubmission } from "./submissions/types.ts";

/** Every submission but the pacts and their outcomes, oldest first. */
export const submissions: readonly StorySubmission[] = [...firstWeek, ...secondWeek, ...thirdWeek];
