import { HandHeart, Heart, Laugh, Lightbulb, PartyPopper, ThumbsUp } from "lucide-react";
import { classNames } from "@/ui/class-names.ts";
import type { Reaction } from "../model/reactions.ts";

const icons = {
  like: Heart,
  applause: ThumbsUp,
  celebrate: PartyPopper,
  insight: Lightbulb,
  laugh: Laugh,
  thanks: HandHeart,
} as const;

/** The picture of a like or a reaction. Drawn, because emoji look different or are missing elsewhere. Its name must stand beside it. */
export function ReactionIcon({
  kind,
  className,
}: {
  readonly kind: Reaction | "like";
  readonly className?: string | undefined;
}) {
  const Icon = icons[kind];
  return <Icon aria-hidden className={classNames("shrink-0", className)} />;
}
