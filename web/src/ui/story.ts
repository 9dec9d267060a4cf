import type { ReactNode } from "react";

/** A family of components and the states worth looking at, by name. */
export interface StoryGroup {
  readonly title: string;
  readonly stories: Readonly<Record<string, () => ReactNode>>;
}
