-- The saved state of the onboarding wizard.
create table public.onboarding_progress (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_step integer not null default 1
    constraint onboarding_progress_current_step_check check (current_step between 1 and 9),
  completed_steps integer[] not null default '{}' constraint onboarding_progress_completed_steps_check
    check (completed_steps <@ array[1, 2, 3, 4, 5, 6, 7, 8, 9] and cardinality(completed_steps) <= 9),
  data jsonb not null default '{}' constraint onboarding_progress_data_check
    check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 65536),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.onboarding_progress to service_role;
grant select (user_id, current_step, completed_steps, data, updated_at),
  insert (user_id, current_step, completed_steps, data, updated_at),
  update (user_id, current_step, completed_steps, data, updated_at)
  on public.onboarding_progress to authenticated;
comment on table public.onboarding_progress is 'Progress through the nine onboarding steps, one row for each account.';
comment on column public.onboarding_progress.completed_steps is 'Numbers of the completed steps.';
comment on column public.onboarding_progress.data is 'Answers by field key, for filling the forms again; the answers that count are in onboarding_responses.';
alter table public.onboarding_progress enable row level security;

create policy select_own on public.onboarding_progress for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.onboarding_progress for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.onboarding_progress for update to authenticated
  using (user_id = (select auth.uid()));

-- The server sets the time of a change.
create function private.tg_onboarding_progress__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger onboarding_progress__stamp before insert or update on public.onboarding_progress
  for each row execute function private.tg_onboarding_progress__stamp();

-- The answers that count, one row for each question.
create table public.onboarding_responses (
  user_id uuid not null references auth.users (id) on delete cascade,
  page_number integer not null
    constraint onboarding_responses_page_number_check check (page_number between 1 and 9),
  question text not null
    constraint onboarding_responses_question_check check (char_length(question) between 1 and 200),
  answer text constraint onboarding_responses_answer_check check (char_length(answer) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, page_number, question)
);
grant select, insert, update, delete on public.onboarding_responses to service_role;
grant select (user_id, page_number, question, answer, created_at, updated_at),
  insert (user_id, page_number, question, answer),
  update (user_id, page_number, question, answer)
  on public.onboarding_responses to authenticated;
comment on table public.onboarding_responses is 'Answers given in onboarding; a new answer replaces the old one.';
comment on column public.onboarding_responses.page_number is 'Step of the wizard with the question.';
comment on column public.onboarding_responses.question is 'Field key of the question, such as goals_1_year.';
alter table public.onboarding_responses enable row level security;

create policy select_own on public.onboarding_responses for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.onboarding_responses for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.onboarding_responses for update to authenticated
  using (user_id = (select auth.uid()));

-- The wizard's answers become the profile, so they meet the same rule; and what counts as an answer can be seen.
create function private.tg_onboarding_responses__guard() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  -- An answer under another question would leave its own question without one.
  if tg_op = 'UPDATE' and private.is_outside_caller() then
    new.page_number := old.page_number;
    new.question := old.question;
  end if;
  if new.page_number = 7 and new.question in ('first_name', 'last_name') then
    perform private.require_name(new.answer);
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
create trigger onboarding_responses__guard before insert or update on public.onboarding_responses
  for each row execute function private.tg_onboarding_responses__guard();

-- The answers of steps 6 and 7 that onboarding requires.
create table private.required_answers (
  page_number integer not null,
  question text not null,
  pattern text not null default '\S',
  primary key (page_number, question)
);
comment on table private.required_answers is 'Questions that must be answered before onboarding can be completed.';
comment on column private.required_answers.pattern is 'Regular expression the answer must match.';
alter table private.required_answers enable row level security;

-- Checked when onboarding completes: a live subscription, all required answers, and a document that was not rejected.
create function private.require_onboarding_steps() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  missing text;
begin
  if not private.has_live_membership(caller) then
    perform private.fail('FF101', 'Onboarding needs an active membership.');
  end if;
  select string_agg(q.question, ',' order by q.page_number, q.question) into missing
  from private.required_answers q
  where not exists (
    select from public.onboarding_responses r
    where r.user_id = caller and r.page_number = q.page_number and r.question = q.question and r.answer ~ q.pattern
      and not private.is_blank(r.answer)
  );
  if missing is not null then
    perform private.fail('FF102', 'Some required questions have not been answered.', missing);
  end if;
  if not exists (
    select from public.user_verifications v where v.user_id = caller and v.status in ('pending', 'approved')
  ) then
    perform private.fail('FF103', 'Onboarding needs an identity document that is pending or approved.');
  end if;
end
$$;
comment on function private.require_onboarding_steps() is 'Raises FF101, FF102 or FF103 unless the caller may complete onboarding.';
grant execute on function private.require_onboarding_steps to authenticated;

-- Members change their profile and their answers after onboarding. What onboarding required stays answered.
create function private.require_answer(page_number integer, question text, answer text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.required_answers q
    where q.page_number = require_answer.page_number and q.question = require_answer.question
      and (coalesce(require_answer.answer, '') !~ q.pattern or private.is_blank(require_answer.answer))
  ) and exists (select from public.profiles p where p.id = auth.uid() and p.onboarding_complete) then
    perform private.fail('FF102', 'Some required questions have not been answered.', require_answer.question);
  end if;
end
$$;
comment on function private.require_answer(integer, text, text) is
  'Raises FF102 when the caller has completed onboarding and the answer would no longer be enough for it.';
grant execute on function private.require_answer to authenticated;
