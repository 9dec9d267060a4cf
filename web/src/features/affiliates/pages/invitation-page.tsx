import { useState } from "react";
import { useLocation, useParams } from "react-router";
import { chosenCourseIn } from "@/domain/chosen-plan.ts";
import { paths, salePath } from "@/domain/paths.ts";
import { AuthPage } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { tryAgain } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { rememberVisit } from "../api/visits.ts";
import { readStoredVisit, storeVisit } from "../model/stored-visit.ts";
import { invitationStrings } from "../strings.ts";

/** `/join/:code`: a visitor came by a member's link, and is asked whether that may be remembered. */
export function InvitationPage() {
  const { client } = useBackend();
  const { code = "" } = useParams();
  const course = chosenCourseIn(useLocation().search);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  function leave() {
    window.location.assign(course === null ? paths.landing : salePath(course));
  }

  async function agree() {
    setBusy(true);
    setProblem(null);
    const answer = await rememberVisit(client, code, readStoredVisit(browserStorage));
    setBusy(false);
    if (answer.kind === "remembered") {
      storeVisit(browserStorage, answer.visit);
      leave();
    } else if (answer.kind === "unknown") {
      setProblem(invitationStrings.unknownLink);
    } else {
      setProblem(`${invitationStrings.notRemembered} ${tryAgain}`);
    }
  }

  function decline() {
    storeVisit(browserStorage, null);
    leave();
  }

  return (
    <AuthPage
      title={course === null ? invitationStrings.title : invitationStrings.courseTitle}
      intro={invitationStrings.intro}
    >
      <p className="text-muted">{invitationStrings.question(course !== null)}</p>
      {problem === null ? null : <Alert tone="warn">{problem}</Alert>}
      <div className="grid gap-3">
        <Button size="lg" wide loading={busy} onClick={() => void agree()}>
          {invitationStrings.agree}
        </Button>
        <Button size="lg" wide variant="secondary" disabled={busy} onClick={decline}>
          {invitationStrings.decline}
        </Button>
      </div>
    </AuthPage>
  );
}
