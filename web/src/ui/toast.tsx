import { Toaster as Sonner, toast as sonner } from "sonner";

/** Where toasts appear. Must stand once in the app. */
export function Toaster() {
  return (
    <Sonner
      // Below the top bar, where no button is that one presses twice, such as Send or Sign out. On a phone, pages without that bar
      // have their title there: `--toast-top` of app.css puts it over the mark above it.
      position="top-center"
      style={{ fontFamily: "inherit" }}
      offset={{ top: "4.75rem" }}
      mobileOffset={{ top: "var(--toast-top)" }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-3 rounded-control border border-line bg-raised px-4 py-3 text-sm text-ink shadow-float",
          description: "text-muted",
          actionButton: "ml-auto font-medium underline underline-offset-4",
        },
      }}
    />
  );
}

/** For what happened elsewhere or a moment ago; what belongs to a field is said at the field. */
export const toast = {
  good: (message: string): void => void sonner.success(message),
  info: (message: string): void => void sonner.info(message),
  danger: (message: string): void => void sonner.error(message),
};
