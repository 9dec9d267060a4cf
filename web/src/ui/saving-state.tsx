/** Says beside a choice, which is saved as soon as it is made, that it is being saved or was. */
export function SavingState({
  isPending,
  isSuccess,
}: {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
}) {
  return (
    <p className="text-sm text-muted" role="status">
      {isPending ? "Saving…" : isSuccess ? "Saved." : ""}
    </p>
  );
}
