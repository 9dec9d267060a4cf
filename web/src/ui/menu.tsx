import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useCloseOnBack } from "./close-on-back.ts";

/** A button and the list of actions it opens. */
export function Menu({
  trigger,
  defaultOpen = false,
  children,
}: {
  /** One focusable element. */
  readonly trigger: ReactNode;
  /** Opens as soon as it is there, for a menu that is built when it is first wanted. */
  readonly defaultOpen?: boolean | undefined;
  readonly children: ReactNode;
}) {
  const [open, setOpen] = useState(defaultOpen);
  useCloseOnBack(open, () => setOpen(false));
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          sideOffset={6}
          align="start"
          collisionPadding={8}
          // Over a toast: the account's menu opens where those stand.
          className="z-58 min-w-56 animate-[rise_140ms_ease-out] rounded-control border border-line bg-raised p-1 text-ink shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const item =
  "flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-3 text-sm outline-none select-none data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:text-muted [&_svg]:size-4 [&_svg]:text-muted";

/** One entry; wrap a link with `asChild`. */
export function MenuItem({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) {
  return <DropdownMenu.Item className={classNames(item, className)} {...rest} />;
}

/** An entry that is on or off. */
export function MenuCheckItem({
  className,
  children,
  ...rest
}: ComponentProps<typeof DropdownMenu.CheckboxItem>) {
  return (
    <DropdownMenu.CheckboxItem className={classNames(item, className)} {...rest}>
      {children}
      <DropdownMenu.ItemIndicator className="ml-auto">
        <Check aria-hidden />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
