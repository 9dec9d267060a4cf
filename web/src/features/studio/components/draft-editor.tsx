import { useState } from "react";
import type { DraftDetail } from "../api/drafts.ts";
import type { DraftIssue } from "../model/studio-errors.ts";
import { textEditorStrings } from "../strings/text-editor.ts";
import { useDraftEditing } from "../use-draft-editing.ts";
import { useModuleUploads } from "../use-film-upload.ts";
import { CommentList } from "./comment-list.tsx";
import { DraftActions } from "./draft-actions.tsx";
import { DraftFields } from "./draft-fields.tsx";
import { DraftHeader } from "./draft-header.tsx";
import { IssueList } from "./issue-list.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { ModuleEditor } from "./module-editor.tsx";
import { SaveProblem, SaveStatus } from "./save-status.tsx";
import { TextEditor } from "./text-editor.tsx";
import { VersionList } from "./version-list.tsx";

export interface DraftEditorProps {
  readonly draft: DraftDetail;
  /** Reads the draft again and begins with its newest version. */
  readonly onReload: () => Promise<void>;
}

/** The editor of an article or a course. */
export function DraftEditor({ draft, onReload }: DraftEditorProps) {
  const { content, state, version, change, saveNow, isDirty, keepMine, discard } =
    useDraftEditing(draft);
  const { uploads, isUploading, report } = useModuleUploads();
  const [issues, setIssues] = useState<readonly DraftIssue[]>([]);
  const loadNewest = async () => {
    discard();
    await onReload();
  };
  return (
    <>
      <LeaveGuard
        isDirty={isDirty}
        isUploading={isUploading}
        save={async () => (await saveNow()) !== null}
      />
      <DraftHeader draft={draft} title={content.title}>
        <SaveStatus state={state} />
      </DraftHeader>
      <SaveProblem
        state={state}
        isUploading={isUploading}
        onRetry={() => void saveNow()}
        onKeepMine={() => void keepMine()}
        onLoadNewest={() => void loadNewest()}
      />
      <DraftActions
        draft={draft}
        version={version}
        isUploading={isUploading}
        onBefore={saveNow}
        onMoved={onReload}
        onIssues={setIssues}
      />
      <IssueList kind={draft.kind} issues={issues} />
      <CommentList comments={draft.comments} version={version} />
      <DraftFields
        kind={draft.kind}
        content={content}
        placeIsFixed={draft.publishedVersion !== null}
        issues={issues}
        onChange={change}
      />
      {draft.kind === "article" ? (
        <TextEditor
          label={textEditorStrings.article}
          markdown={content.content}
          onChange={(markdown) => change({ content: markdown })}
        />
      ) : (
        <ModuleEditor
          modules={content.modules}
          onChange={(modules) => change({ modules })}
          uploads={uploads}
          onUpload={report}
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
