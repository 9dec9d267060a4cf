import { ArrowDown, ArrowUp, GripVertical, ListOrdered } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { useRailScreen } from "@/ui/use-wide-screen.ts";
import { moveItem, type DraftModule } from "../model/draft.ts";
import { filmTexts, moduleStrings, titleOfModule } from "../strings/modules.ts";
import type { ModuleUploads, UploadKind } from "../use-film-upload.ts";
import { ModuleFields } from "./module-fields.tsx";
import { PreviewBeside } from "./preview-beside.tsx";

export interface ModuleEditorProps {
  readonly modules: readonly DraftModule[];
  readonly onChange: (modules: readonly DraftModule[]) => void;
  /** The uploads of films, by the ids that the editor gives the modules. */
  readonly uploads: ModuleUploads;
  readonly onUpload: (moduleId: string, kind: UploadKind) => void;
  /** The lesson stands there a second time as members will read it; the list gives way as on a phone. */
  readonly isPreviewed?: boolean;
  /** Below the list of modules, beside the lesson. */
  readonly aside?: ReactNode | undefined;
}

const emptyModule: DraftModule = {
  slug: "",
  title: "",
  content: "",
  minutes: null,
  videoUrl: null,
};

/** What can be written in: a course without modules begins with the text of its first. */
function written(modules: readonly DraftModule[]): readonly DraftModule[] {
  return modules.length === 0 ? [emptyModule] : modules;
}

interface Said {
  readonly text: string;
  /** Counts what was said, so that the same sentence is read out again. */
  readonly turn: number;
}

/** The modules of a course in their order, and the one that is being written. Their number and order change only here. */
export function ModuleEditor(props: ModuleEditorProps) {
  const { modules, onChange, uploads, onUpload, isPreviewed = false, aside } = props;
  /** An id for each module, in their order: two may be alike, and the text editor belongs to one of them. */
  const [ids, setIds] = useState<readonly string[]>(() =>
    written(modules).map(() => crypto.randomUUID()),
  );
  const [openId, setOpenId] = useState(ids[0]);
  /** The one that was added last. Its title takes what is typed next, which would press the button again. */
  const [addedId, setAddedId] = useState<string>();
  const [said, setSaid] = useState<Said>({ text: "", turn: 0 });
  const hasRail = useRailScreen() && !isPreviewed;
  /** On a phone the list gives way to the lesson. */
  const [isListed, setListed] = useState(false);
  const dragged = useRef<number | null>(null);
  const list = useRef<HTMLOListElement>(null);

  function move(from: number, to: number) {
    const moved = moveItem(modules, from, to);
    if (moved === modules) return;
    onChange(moved);
    setIds(moveItem(ids, from, to));
    setOpenId(ids[from]);
    setSaid(({ turn }) => ({
      text: moduleStrings.moved(titleOfModule(modules[from]), to + 1, modules.length),
      turn: turn + 1,
    }));
    // The focus goes with the module, so that it can be moved on.
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLElement>("[data-module]")[to]?.focus(),
    );
  }

  function add() {
    if (modules.length === 0) {
      onChange([emptyModule]);
      setAddedId(ids[0]);
      return;
    }
    const id = crypto.randomUUID();
    onChange([...modules, emptyModule]);
    setIds([...ids, id]);
    setOpenId(id);
    setAddedId(id);
  }

  function remove(index: number) {
    const left = modules.length > 1 ? ids.toSpliced(index, 1) : [crypto.randomUUID()];
    onChange(modules.toSpliced(index, 1));
    setIds(left);
    setOpenId(left[Math.max(0, index - 1)]);
  }

  function moveByKey(event: KeyboardEvent, index: number) {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(index, index + (event.key === "ArrowUp" ? -1 : 1));
  }

  const opened = modules[openId === undefined ? -1 : ids.indexOf(openId)];
  const listButton = (
    <Button
      size="sm"
      variant="secondary"
      className="tabular shrink-0 px-2.5"
      aria-label={
        isListed ? moduleStrings.hideList(modules.length) : moduleStrings.showList(modules.length)
      }
      aria-expanded={isListed}
      onClick={() => setListed(!isListed)}
    >
      <ListOrdered aria-hidden className="size-4" />
      {modules.length}
    </Button>
  );
  return (
    <div
      className={classNames(
        "grid grid-cols-1 items-start gap-x-8 gap-y-4",
        isPreviewed
          ? "xl:grid-cols-2"
          : "lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]",
      )}
    >
      <section
        aria-labelledby="modules"
        className={
          hasRail || isListed
            ? classNames("grid grid-cols-1 gap-3", isPreviewed ? "xl:col-span-2" : "lg:col-start-2")
            : "sr-only"
        }
      >
        <h2 id="modules" className="text-lg font-medium">
          {moduleStrings.title} <span className="tabular text-muted">· {modules.length}</span>
        </h2>
        {hasRail || isListed ? (
          <>
            {modules.length === 0 ? (
              <EmptyState title={moduleStrings.emptyTitle}>{moduleStrings.empty}</EmptyState>
            ) : (
              <>
                <p className="text-sm text-muted">{moduleStrings.orderHint}</p>
                <ol
                  ref={list}
                  className="divide-y divide-line rounded-card border border-line bg-raised"
                >
                  {modules.map((module, index) => (
                    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Dragging; the buttons inside do the same by keyboard.
                    <li
                      key={ids[index]}
                      draggable
                      onDragStart={() => {
                        dragged.current = index;
                      }}
                      onDragOver={(event) => event.preventDefault()}
                      onDrop={(event) => {
                        event.preventDefault();
                        if (dragged.current !== null) move(dragged.current, index);
                        dragged.current = null;
                      }}
                      className="flex items-center gap-1 px-2 py-1"
                    >
                      <GripVertical
                        aria-hidden
                        className="size-4 shrink-0 cursor-grab text-muted"
                      />
                      <button
                        type="button"
                        data-module
                        aria-current={ids[index] === openId ? "true" : undefined}
                        onClick={() => setOpenId(ids[index])}
                        onKeyDown={(event) => moveByKey(event, index)}
                        className="min-h-11 min-w-0 grow rounded-control px-2 text-left wrap-anywhere hover:bg-hover aria-[current=true]:font-medium"
                      >
                        <span className="tabular text-muted">{index + 1}.</span>{" "}
                        {titleOfModule(module)}
                      </button>
                      <UploadNote
                        kind={ids[index] === openId ? undefined : uploads.get(ids[index] ?? "")}
                      />
                      <MoveButton
                        up
                        module={module}
                        disabled={index === 0}
                        onMove={() => move(index, index - 1)}
                      />
                      <MoveButton
                        module={module}
                        disabled={index === modules.length - 1}
                        onMove={() => move(index, index + 1)}
                      />
                    </li>
                  ))}
                </ol>
              </>
            )}
            <Button
              variant="secondary"
              className="justify-self-start"
              disabled={modules.length >= 60}
              onClick={add}
            >
              {moduleStrings.add}
            </Button>
          </>
        ) : null}
        <span role="status" className="sr-only">
          <span key={said.turn}>{said.text}</span>
        </span>
      </section>
      <div
        className={classNames(
          "min-w-0",
          !isPreviewed && "lg:col-start-1 lg:row-span-2 lg:row-start-1",
        )}
      >
        {written(modules).map((module, index, all) => {
          const id = ids[index] ?? "";
          // A lesson with an upload stays out of sight, because the upload ends with its field.
          return id === openId || uploads.has(id) ? (
            <div key={id} hidden={id !== openId}>
              <ModuleFields
                module={module}
                place={index + 1}
                isAdded={id === addedId}
                listButton={hasRail ? null : listButton}
                onChange={(changes) => onChange(all.with(index, { ...module, ...changes }))}
                onRemove={modules.length === 0 ? null : () => remove(index)}
                onUpload={(kind) => onUpload(id, kind)}
              />
            </div>
          ) : null;
        })}
      </div>
      {isPreviewed ? (
        <PreviewBeside title={titleOfModule(opened)} markdown={opened?.content ?? ""} />
      ) : null}
      {aside}
    </div>
  );
}

/** How the upload of a lesson goes that is not open. */
function UploadNote({ kind }: { readonly kind: UploadKind | undefined }) {
  if (kind === undefined || kind === "idle") return null;
  return (
    <span className={classNames("px-2 text-sm", kind === "failed" ? "text-danger" : "text-muted")}>
      {kind === "failed" ? filmTexts.failedElsewhere : filmTexts.sendingElsewhere}
    </span>
  );
}

function MoveButton({
  up = false,
  module,
  disabled,
  onMove,
}: {
  readonly up?: boolean;
  readonly module: DraftModule;
  readonly disabled: boolean;
  readonly onMove: () => void;
}) {
  const Arrow = up ? ArrowUp : ArrowDown;
  return (
    <Button
      size="sm"
      variant="quiet"
      className="size-11 shrink-0 p-0"
      disabled={disabled}
      aria-label={moduleStrings.move(titleOfModule(module), up)}
      onClick={onMove}
    >
      <Arrow aria-hidden className="size-4" />
    </Button>
  );
}
