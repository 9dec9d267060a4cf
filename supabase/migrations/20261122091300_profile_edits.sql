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

create or replace function private.tg_onboarding_responses__guard() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  -- An answer under another question would leave its own question without one.
  if tg_op = 'UPDATE' and private.is_outside_caller() then
    new.page_number := old.page_number;
    new.question := old.question;
  end if;
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.require_answer(new.page_number, new.question, new.answer);
  end if;
  if tg_op = 'INSERT' and private.is_outside_caller() and new.user_id = auth.uid()
    and (select count(*) from public.onboarding_responses r
         where r.user_id = new.user_id and (r.page_number, r.question) <> (new.page_number, new.question)) >= 60
  then
    perform private.fail('FF110', 'There are more answers than the wizard has questions.');
  end if;
  return new;
end
$$;

create or replace function private.tg_profiles__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if not private.is_outside_caller() then
    return new;
  end if;
  new.role := old.role;
  if old.onboarding_complete then
    new.onboarding_complete := true;
    -- A name that was given can be changed, not taken away. Profiles without one may stay so.
    if new.first_name is distinct from old.first_name then
      perform private.require_answer(7, 'first_name', new.first_name);
    end if;
    if new.last_name is distinct from old.last_name then
      perform private.require_answer(7, 'last_name', new.last_name);
    end if;
    if new.occupation is distinct from old.occupation then
      perform private.require_answer(7, 'occupation', new.occupation);
    end if;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;
