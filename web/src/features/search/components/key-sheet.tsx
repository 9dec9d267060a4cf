import { Dialog } from "@/ui/dialog.tsx";
import { keyStrings } from "../strings.ts";

/** An area that G and a letter open. */
export interface KeyedArea {
  readonly letter: string;
  readonly label: string;
}

/** Every key that does something, by the place where it does. */
export default function KeySheet({
  areas,
  open,
  onOpenChange,
}: {
  readonly areas: readonly KeyedArea[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) {
  const [everywhere, ...others] = keyStrings.places;
  const goTo = areas.map(({ letter, label }) => [keyStrings.goTo(letter), label] as const);
  const places = [everywhere, { name: keyStrings.goToName, keys: goTo }, ...others];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={keyStrings.title}>
      <div className="grid gap-6">
        {places.map(({ name, keys }) => (
          <section key={name} aria-label={name} className="grid gap-2">
            <h3 className="text-sm font-medium text-muted">{name}</h3>
            <dl className="grid gap-1.5">
              {keys.map(([key, does]) => (
                <div key={key} className="flex items-baseline justify-between gap-4">
                  <dt className="order-2 shrink-0">
                    <kbd className="rounded-control border border-line bg-sunken px-1.5 py-0.5 font-sans text-xs">
                      {key}
                    </kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
