import { Component, lazy, Suspense, type ReactNode } from "react";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { readingStrings } from "../strings.ts";

const MarkdownText = lazy(() => import("./markdown-text.tsx"));

/** An author's text, set to be read. What cannot be set is shown as it was written. */
export function ReadingText({
  markdown,
  isBeingWritten = false,
  onShown,
}: {
  readonly markdown: string;
  /** It changes with each key: it stays the same element, so that its pictures aren't fetched anew. */
  readonly isBeingWritten?: boolean;
  /** Called once the text stands there in its full length. */
  readonly onShown?: (() => void) | undefined;
}) {
  return (
    <PlainWhenBroken key={isBeingWritten ? "" : markdown} text={markdown}>
      <Suspense fallback={<TextSkeleton />}>
        <MarkdownText markdown={markdown} onShown={onShown} />
      </Suspense>
    </PlainWhenBroken>
  );
}

/** The shape of a text on its way. */
export function TextSkeleton() {
  return (
    <Loading label={readingStrings.loading} className="grid max-w-reading gap-4">
      {["w-full", "w-11/12", "w-full", "w-3/4", "w-full", "w-5/6"].map((width, index) => (
        <Skeleton key={`${index}-${width}`} className={`h-5 ${width}`} />
      ))}
    </Loading>
  );
}

interface BoundaryProps {
  readonly text: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly broken: boolean;
  /** What was tried. */
  readonly text: string;
}

/** A text that the formatter cannot take must not take the page with it. One that is changed is tried again. */
class PlainWhenBroken extends Component<BoundaryProps, BoundaryState> {
  override state = { broken: false, text: this.props.text };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  static getDerivedStateFromProps({ text }: BoundaryProps, tried: BoundaryState) {
    return text === tried.text ? null : { broken: false, text };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return <div className="reading whitespace-pre-wrap">{this.props.text}</div>;
  }
}
