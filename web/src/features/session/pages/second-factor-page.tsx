import { toast } from "@/ui/toast.tsx";
import { secondFactorFormStrings, sessionStrings } from "../strings.ts";
import { useSession } from "../session-provider.tsx";
import { AuthPage } from "../components/auth-page.tsx";
import { SecondFactorForm } from "../components/second-factor-form.tsx";

/** Stands in place of a page until the code was entered; the page then opens where one was going. */
export function SecondFactorPage({
  onDone = () => undefined,
  onCancel,
}: {
  readonly onDone?: () => void;
  readonly onCancel?: () => void;
}) {
  const { pending } = useSession();
  return (
    <AuthPage title={secondFactorFormStrings.title} intro={pending?.email}>
      <SecondFactorForm
        onDone={(how) => {
          if (how === "recovery") toast.good(sessionStrings.factorRecovered);
          onDone();
        }}
        {...(onCancel ? { onCancel } : {})}
      />
    </AuthPage>
  );
}
