import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";
import { unavailableStrings } from "./strings.ts";

/** Shown when a request failed that decides whether the visitor may see the page. */
export function UnavailablePage({
  onRetry,
  onSignOut,
}: {
  readonly onRetry: () => void;
  readonly onSignOut: () => void;
}) {
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{unavailableStrings.tabTitle}</title>
      <div role="alert" className="grid max-w-notice justify-items-start gap-5">
        <RisingMark className="size-10" />
        <h1 className="display text-2xl sm:text-3xl">{unavailableStrings.title}</h1>
        <p className="text-muted">{unavailableStrings.text}</p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={onRetry}>{unavailableStrings.retry}</Button>
          <Button variant="secondary" onClick={onSignOut}>
            {unavailableStrings.signOut}
          </Button>
        </div>
      </div>
    </main>
  );
}
