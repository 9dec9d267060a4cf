import { useEffect, useLayoutEffect, useState } from "react";
import { useRouteError } from "react-router";
import { brand } from "@/domain/brand.ts";
import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";
import { paths } from "@/domain/paths.ts";
import { LoadingPage } from "./loading-page.tsx";
import { mayReload, reloadPage } from "./reload-once.ts";
import { errorPageStrings, offlinePageStrings } from "./strings.ts";

/** What Chromium, Firefox, Safari and Vite say when the code or the style of a page was not loaded. */
const codeNotLoaded =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

/**
 * Stands in for the whole page when rendering failed, or its code could not be loaded. The heading
 * of a failure is the framework's own.
 */
export function ErrorPage() {
  const error = useRouteError();
  if (!(error instanceof Error && codeNotLoaded.test(error.message))) {
    return <FailurePage error={error} />;
  }
  return navigator.onLine ? <ReplacedCodePage error={error} /> : <OfflinePage />;
}

/**
 * After a release the code an open tab asks for is gone: loads the address in full, once. Code that is missing then as
 * well is a failure.
 */
function ReplacedCodePage({ error }: { readonly error: unknown }) {
  const [reloads] = useState(mayReload);
  useEffect(() => {
    if (reloads) reloadPage();
  }, [reloads]);
  return reloads ? <LoadingPage /> : <FailurePage error={error} />;
}

/** Reloads by itself once there is a connection: a reload without one would leave the app. */
function OfflinePage() {
  // Before it is shown: a connection that comes back at that moment is not missed.
  useLayoutEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{offlinePageStrings.tabTitle}</title>
      <div className="grid max-w-notice justify-items-start gap-5">
        <RisingMark className="size-10" />
        <div role="alert" className="grid gap-5">
          <h1 className="display text-2xl sm:text-3xl">{offlinePageStrings.title}</h1>
          <p className="text-muted">{offlinePageStrings.text}</p>
        </div>
      </div>
    </main>
  );
}

function FailurePage({ error }: { readonly error: unknown }) {
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{errorPageStrings.tabTitle}</title>
      <div className="grid max-w-notice justify-items-start gap-5">
        <RisingMark className="size-10" />
        <h1 className="display text-2xl sm:text-3xl">{errorPageStrings.title}</h1>
        <p className="text-muted">
          {errorPageStrings.textBefore}
          <a
            className="text-ink underline underline-offset-4"
            href={`mailto:${brand.supportEmail}`}
          >
            {brand.supportEmail}
          </a>
          {errorPageStrings.textAfter}
        </p>
        {import.meta.env.DEV ? (
          <pre className="max-w-full overflow-x-auto rounded-control border border-line bg-sunken p-4 text-sm whitespace-pre-wrap">
            {error instanceof Error ? (error.stack ?? error.message) : String(error)}
          </pre>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.location.reload()}>{errorPageStrings.reload}</Button>
          <Button asChild variant="secondary">
            <a href={paths.studentDashboard}>{errorPageStrings.home}</a>
          </Button>
        </div>
      </div>
    </main>
  );
}
