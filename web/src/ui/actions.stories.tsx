import { ArrowRight, Settings } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { ConfirmDialog, Dialog, Sheet } from "./dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "./menu.tsx";
import type { StoryGroup } from "./story.ts";
import { Tabs } from "./tabs.tsx";
import { TextLink } from "./text-link.tsx";
import { toast } from "./toast.tsx";
import { Tooltip } from "./tooltip.tsx";

function Windows() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "sheet" | null>(null);
  const close = (next: boolean) => setOpen(next ? open : null);
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen("dialog")}>
        Dialog
      </Button>
      <Button variant="secondary" onClick={() => setOpen("confirm")}>
        Confirm
      </Button>
      <Button variant="secondary" onClick={() => setOpen("sheet")}>
        Sheet
      </Button>
      <Dialog
        open={open === "dialog"}
        onOpenChange={close}
        title="A window"
        description="For one task over the page."
      >
        <Button onClick={() => setOpen(null)}>Done</Button>
      </Dialog>
      <ConfirmDialog
        open={open === "confirm"}
        onOpenChange={close}
        danger
        title="Delete the draft?"
        description="It cannot be brought back."
        confirmLabel="Delete the draft"
        cancelLabel="Keep it"
        onConfirm={() => setOpen(null)}
      />
      <Sheet open={open === "sheet"} onOpenChange={close} title="Detail" from="side">
        <p className="text-muted">Beside the table it belongs to.</p>
      </Sheet>
    </div>
  );
}

export default {
  title: "Actions",
  stories: {
    "Button variants": () => (
      <div className="flex flex-wrap gap-3">
        <Button>Primary</Button>
        <Button variant="accent">Accent</Button>
        <Button variant="secondary">Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Danger</Button>
      </div>
    ),
    "Button sizes": () => (
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm">Small</Button>
        <Button>Medium</Button>
        <Button size="lg">
          Large <ArrowRight aria-hidden className="size-4" />
        </Button>
      </div>
    ),
    "Button states": () => (
      <div className="flex flex-wrap gap-3">
        <Button loading>Saving</Button>
        <Button disabled>Disabled</Button>
        <Button variant="secondary" disabled>
          Disabled
        </Button>
      </div>
    ),
    "Link in text": () => (
      <p>
        As the <TextLink to="/terms">terms</TextLink> say.
      </p>
    ),
    Menu: () => (
      <Menu
        trigger={
          <Button variant="secondary">
            <Settings aria-hidden className="size-4" /> Open menu
          </Button>
        }
      >
        <MenuItem>Rename</MenuItem>
        <MenuItem disabled>Duplicate</MenuItem>
        <MenuSeparator />
        <MenuItem>Delete</MenuItem>
      </Menu>
    ),
    "Dialog, confirmation, sheet": () => <Windows />,
    "Tooltip and toast": () => (
      <div className="flex flex-wrap gap-3">
        <Tooltip text="A short remark">
          <Button variant="secondary">Hover or focus</Button>
        </Tooltip>
        <Button variant="secondary" onClick={() => toast.good("Saved")}>
          Toast
        </Button>
      </div>
    ),
    Tabs: () => (
      <Tabs
        label="Views"
        items={[
          { value: "open", label: "Open", content: <p>Three are open.</p> },
          { value: "done", label: "Done", content: <p>Nine are done.</p> },
        ]}
      />
    ),
  },
} satisfies StoryGroup;
