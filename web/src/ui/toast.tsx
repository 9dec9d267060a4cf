import { useEffect } from "react";
import { Toaster as Sonner, toast as sonner, useSonner } from "sonner";

/** Keeps `--toast-height` at the height in pixels of the toast that is shown, 0 without one: what must not lie below it keeps that free. */
function useToastHeight(): void {
  const { toasts } = useSonner();
  useEffect(() => {
    const { style } = document.documentElement;
    // It is drawn by then.
    const frame = requestAnimationFrame(() => {
      const front = document.querySelector<HTMLElement>("[data-sonner-toast][data-front=true]");
      const height = toasts.length === 0 ? 0 : (front?.offsetHeight ?? 0);
      style.setProperty("--toast-height", `${height}px`);
    });
    return () => cancelAnimationFrame(frame);
  }, [toasts]);
}

/** Where toasts appear. Must stand once in the app. */
export function Toaster() {
  useToastHeight();
  return (
    <Sonner
      // Where no heading stands and no button that one presses twice, such as Send: app.css says where exactly.
      position="bottom-left"
      className="print:hidden"
      // Over windows; under an open menu and the celebration of a level.
      style={{ fontFamily: "inherit", zIndex: 55, width: "var(--toast-width)" }}
      offset={{ bottom: "var(--toast-bottom)", left: "var(--toast-left)" }}
      mobileOffset={{ bottom: "var(--toast-bottom)", left: "1rem", right: "1rem" }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-3 rounded-control border border-line bg-raised px-4 py-2 text-sm text-ink shadow-float sm:py-3",
          description: "text-muted",
          actionButton: "ml-auto font-medium underline underline-offset-4",
        },
      }}
    />
  );
}

/**
 * How long a confirmation stays, in ms: as long as it takes to read. It hides what is below it, so no longer
 * than that; the pointer on it keeps it.
 */
function readingTimeMs(message: string): number {
  return Math.min(6000, Math.max(2000, 70 * message.length));
}

/** For what happened elsewhere or a moment ago; what belongs to a field is said at the field. */
export const toast = {
  good: (message: string): void =>
    void sonner.success(message, { duration: readingTimeMs(message) }),
  info: (message: string): void => void sonner.info(message),
  danger: (message: string): void => void sonner.error(message),
};
