import { X } from "lucide-react";
import { AlertDialog as RadixAlertDialog, Dialog as RadixDialog } from "radix-ui";
import { useRef, type ReactNode, type RefObject } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useCloseOnBack } from "./close-on-back.ts";
import { keepOpenWhileComposing } from "./composition.ts";
import { footBar } from "./foot-bar.ts";

const overlay = "fixed inset-0 z-40 bg-shade animate-[fade_160ms_ease-out]";
const panel =
  "fixed z-50 bg-raised text-ink shadow-float focus:outline-none max-h-[calc(100dvh-2rem)] overflow-y-auto";
const centred = "top-1/2 -translate-y-1/2 rounded-card p-6 animate-[fade_160ms_ease-out]";
const narrow = "left-1/2 w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2";
// Centred by its margins: half the width would be lost on the left otherwise.
const fitting = "inset-x-4 mx-auto w-fit max-w-page min-w-[min(20rem,calc(100vw-2rem))]";

/** What opened a window: the focused control, or for an entry of a menu the button of that menu, as the menu is gone by then. */
function findOpener(): Element | null {
  const focused = document.activeElement;
  const trigger = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return trigger ? document.getElementById(trigger) : focused;
}

/**
 * Brings the focus back to what opened the window. Ours are opened by state, so the library knows
 * no trigger; when the opener has gone meanwhile, `fallback` or else the page's content takes its place. What `instead` finds
 * comes before both.
 */
export function useReturningFocus(fallback?: () => Element | null, instead?: () => Element | null) {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = findOpener();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const back =
        instead?.() ??
        (opener.current?.isConnected
          ? opener.current
          : (fallback?.() ?? document.getElementById("main")));
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    },
  };
}

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  readonly description?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
}

/** A window over the page for one task. Escape, Back and a press outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  children,
}: DialogProps & {
  /** As wide as what is in it, such as a picture. */
  readonly wide?: boolean | undefined;
}) {
  const focus = useReturningFocus();
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          className={classNames(panel, centred, wide ? fitting : narrow)}
          onEscapeKeyDown={keepOpenWhileComposing}
          {...focus}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <RadixDialog.Title className="display pr-10 text-xl">{title}</RadixDialog.Title>
          {description ? (
            <RadixDialog.Description className="mt-2 text-muted">
              {description}
            </RadixDialog.Description>
          ) : null}
          <div className="mt-5">{children}</div>
          <CloseButton />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function CloseButton() {
  return (
    <RadixDialog.Close
      aria-label="Close"
      className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
    >
      <X aria-hidden className="size-5" />
    </RadixDialog.Close>
  );
}

export interface SheetProps extends DialogProps {
  /** `bottom` for a phone's menu, `side` for detail beside a table. */
  readonly from?: "bottom" | "side" | undefined;
  /** The control to begin at; the first one when there is none. */
  readonly findFirst?: (() => HTMLElement | null) | undefined;
}

/** A panel that slides in from an edge. */
export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  from = "bottom",
  findFirst,
  children,
}: SheetProps) {
  const focus = useReturningFocus();
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          ref={from === "bottom" ? footBar : undefined}
          className={classNames(
            panel,
            "p-5 pb-[calc(1.25rem+env(safe-area-inset-bottom))]",
            from === "bottom"
              ? "inset-x-0 bottom-0 animate-[slide-up_200ms_var(--ease-out)] rounded-t-card"
              : "inset-y-0 right-0 max-h-none w-[min(32rem,100vw)] animate-[slide-in_200ms_var(--ease-out)]",
          )}
          onEscapeKeyDown={keepOpenWhileComposing}
          {...focus}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus();
            const first = findFirst?.() ?? null;
            if (first === null) return;
            event.preventDefault();
            first.focus();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <RadixDialog.Title className="display pr-10 text-xl">{title}</RadixDialog.Title>
          {description ? (
            <RadixDialog.Description className="mt-1 text-sm text-muted">
              {description}
            </RadixDialog.Description>
          ) : null}
          <div className="mt-4">{children}</div>
          <CloseButton />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  /** What will happen, in one or two sentences. */
  readonly description: ReactNode;
  /** The verb of the action, such as `Cancel membership`; never just "OK". */
  readonly confirmLabel: string;
  readonly cancelLabel?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly busy?: boolean | undefined;
  /** Where the focus goes when what opened the window is gone by the time it closes. */
  readonly focusAfter?: (() => Element | null) | undefined;
  /** Where the focus goes rather than to what opened the window, such as to what came of it; null for nowhere else. */
  readonly focusInstead?: (() => Element | null) | undefined;
  /** Fields between the description and the buttons. */
  readonly children?: ReactNode | undefined;
  /** What has the focus first; without it the button that changes nothing. */
  readonly firstFocus?: RefObject<HTMLElement | null> | undefined;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot simply be undone. It stays open until the caller closes it. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = "Keep things as they are",
  danger = false,
  busy = false,
  focusAfter,
  focusInstead,
  firstFocus,
  children,
  onConfirm,
}: ConfirmDialogProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturningFocus(focusAfter, focusInstead);
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <RadixAlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlertDialog.Portal>
        <RadixAlertDialog.Overlay className={overlay} />
        <RadixAlertDialog.Content
          className={classNames(panel, centred, narrow)}
          onEscapeKeyDown={keepOpenWhileComposing}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus();
            if (!firstFocus?.current) return;
            event.preventDefault();
            firstFocus.current.focus();
          }}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <RadixAlertDialog.Title className="display text-xl">{title}</RadixAlertDialog.Title>
          <RadixAlertDialog.Description className="mt-2 text-muted">
            {description}
          </RadixAlertDialog.Description>
          {children}
          <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <RadixAlertDialog.Cancel asChild>
              <Button variant="secondary" disabled={busy}>
                {cancelLabel}
              </Button>
            </RadixAlertDialog.Cancel>
            <Button variant={danger ? "danger" : "primary"} loading={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
}
