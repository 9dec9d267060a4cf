-- Members change their profile and their answers after onboarding. What onboarding required stays answered.
create function private.require_answer(page_number integer, question text, answer text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.required_answers q
    where q.page_number = require_answer.page_number and q.question = require_answer.question
      and coalesce(require_answer.answer, '') !~ q.pattern
  ) and exists (select from public.profiles p where p.id = auth.uid() and p.onboarding_complete) then
    perform private.fail('FF102', 'Some required questions have not been answered.', require_answer.question);
  end if;
end
$$;
revoke all on function private.require_answer from public, anon, authenticated, service_role;
comment on function private.require_answer(integer, text, text) is
  'Raises FF102 when the caller has completed onboarding and the answer would no longer be enough for it.';
grant execute on function private.require_answer(integer, text, text) to authenticated;

