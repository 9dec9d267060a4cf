import { useEffect, useRef, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { useRailScreen } from "@/ui/use-wide-screen.ts";
import type { DraftDetail } from "../api/drafts.ts";
import type { DraftContent } from "../model/draft.ts";
import { issuesAfterChange, type DraftIssue } from "../model/studio-errors.ts";
import { textEditorStrings } from "../strings/text-editor.ts";
import { draftActionsStrings } from "../strings/actions.ts";
import { titleOrUntitled } from "../strings/names.ts";
import { draftFieldId, findDraftField } from "../find-draft-field.ts";
import { useCoverChoice } from "../use-cover-choice.ts";
import { useDraftActions } from "../use-draft-actions.ts";
import { useDraftEditing } from "../use-draft-editing.ts";
import { useModuleUploads } from "../use-film-upload.ts";
import { usePreviewBeside } from "../use-preview-beside.ts";
import { CommentList } from "./comment-list.tsx";
import { ActButtons, ActOutcome, PreviewButton } from "./draft-actions.tsx";
import { EditorHeader } from "./draft-header.tsx";
import { SettingsPanel, SettingsSheet } from "./draft-settings.tsx";
import { IssueList } from "./issue-list.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { ModuleEditor } from "./module-editor.tsx";
import { PreviewBeside } from "./preview-beside.tsx";
import { SaveProblem, SaveStatus } from "./save-status.tsx";
import { TextEditor } from "./text-editor.tsx";
import { TitleField } from "./title-field.tsx";
import { VersionList } from "./version-list.tsx";

export interface DraftEditorProps {
  readonly draft: DraftDetail;
  /** Reads the draft again and begins with its newest version. */
  readonly onReload: () => Promise<void>;
}

/** The editor of an article or a course: title and text first, everything about them beside it. */
export function DraftEditor({ draft, onReload }: DraftEditorProps) {
  const editing = useDraftEditing(draft);
  const { content, state, version, saveNow, isDirty, keepMine, discard } = editing;
  const { uploads, isUploading, report } = useModuleUploads();
  const [issues, setIssues] = useState<readonly DraftIssue[]>([]);
  const issueList = useRef<HTMLDivElement>(null);
  /** True from a refused submission until its issues have the focus. */
  const isTold = useRef(false);
  const change = (changes: Partial<DraftContent>) => {
    editing.change(changes);
    setIssues((before) => issuesAfterChange(before, content, { ...content, ...changes }));
  };
  const preview = usePreviewBeside();
  /** The settings stand beside the text, unless the preview does. */
  const hasPanel = useRailScreen() && !preview.isBeside;
  const [settingsOpen, setSettingsOpen] = useState(false);
  /** The field that the settings open with. */
  const [wanted, setWanted] = useState<string | null>(null);
  const loadNewest = async () => {
    discard();
    await onReload();
  };
  const draftActs = useDraftActions({
    draft,
    content,
    version,
    isUploading,
    onBefore: async (act) => (act === "submit" ? await editing.saveToSubmit() : await saveNow()),
    onMoved: onReload,
    onIssues: (told) => {
      setIssues(told);
      isTold.current = told.length > 0;
    },
    onTimeIssue: () => setSettingsOpen(true),
  });
  const asks = draftActs.textsFor("submit").question !== null;
  useEffect(() => {
    // Where a question was asked before, its window gives the focus on.
    if (draftActs.busy || asks || !isTold.current) return;
    isTold.current = false;
    issueList.current?.focus();
  }, [draftActs.busy, asks]);
  const leadTo = (field: string) => {
    if (field !== "title" && !hasPanel) {
      setWanted(field);
      setSettingsOpen(true);
    } else findDraftField(field)?.focus();
  };
  const placeIsFixed = draft.publishedVersion !== null;
  const coverChoice = useCoverChoice((cover) => change({ cover }));
  const settings = {
    kind: draft.kind,
    content,
    placeIsFixed,
    issues,
    coverChoice,
    onChange: change,
    draftActs,
  };
  const aside = hasPanel ? <SettingsPanel {...settings} /> : null;
  return (
    <>
      <LeaveGuard
        isDirty={isDirty}
        isUploading={isUploading}
        save={async () => (await saveNow()) !== null}
      />
      <EditorHeader
        draft={draft}
        title={content.title}
        saving={<SaveStatus state={state} />}
        actions={
          <>
            <ActButtons
              draftActs={draftActs}
              acts={draftActs.acts.filter((act) => act === "submit")}
            />
            <PreviewButton draftActs={draftActs} />
            {preview.fits ? (
              <Button
                variant="secondary"
                className="aria-pressed:border-ink aria-pressed:bg-sunken"
                aria-pressed={preview.isBeside}
                onClick={preview.toggle}
              >
                {draftActionsStrings.previewBeside}
              </Button>
            ) : null}
            {hasPanel ? null : (
              <SettingsSheet
                {...settings}
                open={settingsOpen}
                wanted={wanted}
                onOpenChange={(open) => {
                  setSettingsOpen(open);
                  setWanted(null);
                }}
              />
            )}
          </>
        }
      >
        <TitleField
          kind={draft.kind}
          content={content}
          placeIsFixed={placeIsFixed}
          error={issues.find(({ field }) => field === "title")?.message}
          onChange={change}
          onEnter={() => findDraftField("content")?.focus()}
        />
      </EditorHeader>
      <SaveProblem
        state={state}
        isUploading={isUploading}
        onRetry={() => void saveNow()}
        onKeepMine={() => void keepMine()}
        onLoadNewest={() => void loadNewest()}
      />
      <ActOutcome
        draftActs={draftActs}
        focusInstead={() => {
          const goal = isTold.current ? issueList.current : null;
          isTold.current = false;
          return goal;
        }}
      />
      <IssueList
        ref={issueList}
        kind={draft.kind}
        content={content}
        issues={issues}
        onLead={leadTo}
      />
      <CommentList comments={draft.comments} version={version} />
      {draft.kind === "article" ? (
        <div
          className={classNames(
            "grid grid-cols-1 items-start gap-8",
            preview.isBeside ? "xl:grid-cols-2" : "lg:grid-cols-[minmax(0,1fr)_20rem]",
          )}
        >
          <TextEditor
            id={draftFieldId("content")}
            label={textEditorStrings.article}
            markdown={content.content}
            onChange={(markdown) => change({ content: markdown })}
          />
          {preview.isBeside ? (
            <PreviewBeside title={titleOrUntitled(content.title)} markdown={content.content} />
          ) : null}
          {aside}
        </div>
      ) : (
        <ModuleEditor
          modules={content.modules}
          onChange={(modules) => change({ modules })}
          uploads={uploads}
          onUpload={report}
          isPreviewed={preview.isBeside}
          aside={aside}
        />
      )}
      <VersionList
        draft={draft}
        version={version}
        onRestored={state.kind === "saved" && !isUploading ? loadNewest : null}
      />
    </>
  );
}
