import { Component, lazy, Suspense, type ReactNode } from "react";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { readingStrings } from "../strings.ts";

const MarkdownText = lazy(() => import("./markdown-text.tsx"));

/** An author's text, set to be read. What cannot be set is shown as it was written. */
export function ReadingText({
  markdown,
  onShown,
}: {
  readonly markdown: string;
  /** Called once the text stands there in its full length. */
  readonly onShown?: (() => void) | undefined;
}) {
  return (
    <PlainWhenBroken text={markdown}>
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

/** A text that the formatter cannot take must not take the page with it. */
class PlainWhenBroken extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  /** A text that is changed is tried again. It stays the same element, so that its pictures aren't fetched anew while it is written. */
  override componentDidUpdate({ text }: BoundaryProps) {
    if (this.state.broken && text !== this.props.text) this.setState({ broken: false });
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return <div className="reading whitespace-pre-wrap">{this.props.text}</div>;
  }
}
