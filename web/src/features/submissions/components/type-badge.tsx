import { classNames } from "@/ui/class-names.ts";
import { submissionTypeInfo } from "./submission-type-info.ts";
import type { SubmissionType } from "../model/submission-type.ts";

const colours = {
  business: "[--accent:var(--business)]",
  info: "[--accent:var(--info)]",
  knowledge: "[--accent:var(--knowledge)]",
  danger: "[--accent:var(--danger)]",
  good: "[--accent:var(--good)]",
} as const;

/** Sets the accent of a type for everything inside. */
export function accentOf(type: SubmissionType): string {
  return colours[submissionTypeInfo[type].colour];
}

/** A type as its emoji and name in its colour. */
export function TypeBadge({ type }: { readonly type: SubmissionType }) {
  const { name, emoji } = submissionTypeInfo[type];
  return (
    <span
      data-type={type}
      data-edge=""
      className={classNames(
        "wash inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap text-[color-mix(in_oklab,var(--accent)_82%,var(--ink))]",
        accentOf(type),
      )}
    >
      <span aria-hidden>{emoji}</span>
      {name}
    </span>
  );
}
