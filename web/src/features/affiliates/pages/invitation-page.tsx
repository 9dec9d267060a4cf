import { useState } from "react";
import { useLocation, useParams } from "react-router";
import { brand } from "@/domain/brand.ts";
import { chosenCourseIn } from "@/domain/chosen-plan.ts";
import { paths, salePath } from "@/domain/paths.ts";
import { AuthPage } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { tryAgain } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { rememberVisit } from "../api/visits.ts";
import { readStoredVisit, storeVisit } from "../model/stored-visit.ts";

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
    const answer = await rememberVisit(client, code, readStoredVisit(localStorage));
    setBusy(false);
    if (answer.kind === "remembered") {
      storeVisit(localStorage, answer.visit);
      leave();
    } else if (answer.kind === "unknown") {
      setProblem("This link is no longer valid. You can join without it.");
    } else {
      setProblem(`We couldn't remember it. ${tryAgain}`);
    }
  }

  function decline() {
    storeVisit(localStorage, null);
    leave();
  }

  return (
    <AuthPage
      title={course === null ? "A member invited you" : "A member recommends a course"}
      intro={`${brand.name} is a paid membership for people who want to earn more and are willing to work for it.`}
    >
      <p className="text-muted">
        May we remember in this browser that you came by their link? If you{" "}
        {course === null ? "join" : "make an account"} within 60 days, the member is thanked with a
        part of what we earn. You pay the same either way, and the member doesn't learn who you are.
      </p>
      {problem === null ? null : <Alert tone="warn">{problem}</Alert>}
      <div className="grid gap-3">
        <Button size="lg" wide loading={busy} onClick={() => void agree()}>
          Remember and continue
        </Button>
        <Button size="lg" wide variant="secondary" disabled={busy} onClick={decline}>
          Continue without
        </Button>
      </div>
    </AuthPage>
  );
}
