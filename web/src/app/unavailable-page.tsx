import { brand } from "@/domain/brand.ts";
import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";

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
      <title>{`Connection trouble · ${brand.name}`}</title>
      <div role="alert" className="grid max-w-xl justify-items-start gap-5">
        <RisingMark className="size-10" />
        <h1 className="display text-2xl sm:text-3xl">We can't reach the server</h1>
        <p className="text-muted">
          Your account and everything in it are safe. Check your connection and try again in a
          moment.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={onRetry}>Try again</Button>
          <Button variant="secondary" onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      </div>
    </main>
  );
}
