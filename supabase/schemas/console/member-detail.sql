-- Everything administrators see of one member, read with one call. Each function below gives one part of it.

-- Notes are for administrators. The member gets them with the data export, without their authors.
create table private.member_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  author uuid not null,
  note text not null constraint member_notes_note_check check (char_length(note) between 1 and 2000),
  created_at timestamptz not null default now()
);
comment on table private.member_notes is 'Notes of administrators about members. Rows are only added; they go with their account.';
comment on column private.member_notes.author is 'Administrator who wrote it. Has no foreign key, so that the note survives that account.';
create index member_notes_user_id_idx on private.member_notes (user_id, id desc);
alter table private.member_notes enable row level security;

create function private.tg_member_notes__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'notes about members are only ever added';
end
$$;
create trigger member_notes__append_only before update or delete on private.member_notes
  for each row execute function private.tg_member_notes__append_only();

create function private.require_account(member uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = member and u.deleted_at is null) then
    perform private.fail('FF510', 'There is no such account.');
  end if;
end
$$;
comment on function private.require_account(uuid) is 'Raises FF510 unless the account exists.';

-- @rpc authenticated
-- Administrators: add a note about a member. Notes cannot be changed.
create function private.add_member_note(member uuid, note text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  written text := private.trimmed_message(note);
  added bigint;
begin
  if written is null or private.is_blank(written) or char_length(written) > 2000 then
    perform private.fail('FF518', 'A note has between 1 and 2000 characters.');
  end if;
  perform private.require_account(member);
  insert into private.member_notes (user_id, author, note) values (member, admin, written) returning id into added;
  -- Without the text: the entry outlives the account.
  perform private.audit(admin, 'account.note_added', member, jsonb_build_object('note_id', added));
end
$$;
comment on function private.add_member_note(uuid, text) is 'Adds a note about an account; raises FF510 or FF518. Audited.';

create function private.export_part_notes(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('notes', coalesce((
    select jsonb_agg(to_jsonb(n) - 'author' order by n.id) from private.member_notes n where n.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_notes(uuid) is 'Notes about one account, without who wrote them.';

create function private.account_label(account uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(d.name, ''), d.email) from private.member_search_index d where d.user_id = account
$$;
comment on function private.account_label(uuid) is 'Name of an account, or its address without one; null when it is gone.';

-- As before, and with is_trusted.
create function private.member_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'email', d.email, 'name', d.name, 'occupation', p.occupation, 'role', coalesce(p.role, 'student'),
    'level', coalesce(l.current_level, 0), 'joined_at', d.joined_at, 'last_sign_in_at', u.last_sign_in_at,
    'is_confirmed', u.email_confirmed_at is not null, 'is_onboarded', coalesce(p.onboarding_complete, false),
    'is_trusted', exists (select from private.trusted_mentors t where t.user_id = u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'suspension', case when u.banned_until > now() then jsonb_build_object(
      -- Without a limit, a suspension is stored as one of a hundred years.
      'until', case when u.banned_until < now() + interval '50 years' then u.banned_until end,
      'reason', (
        select a.detail ->> 'reason' from private.audit_log a
        where a.subject = u.id and a.action = 'account.suspended' order by a.happened_at desc, a.id desc limit 1
      )
    ) end
  )
  from auth.users u
  join private.member_search_index d on d.user_id = u.id
  left join public.profiles p on p.id = u.id
  left join public.user_levels l on l.user_id = u.id
  where u.id = member
$$;
comment on function private.member_account(uuid) is 'Account, profile, level, suspension and trust of a member, for administrators.';

-- Sums of money: of one currency, of refunds in their latest state, and of disputes by the definition of the queue.
create function private.member_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'pause', (
          select jsonb_build_object('begins_at', p.begins_at, 'ends_at', p.ends_at)
          from public.membership_pauses p where p.subscription_id = s.subscription_id and p.ended_at is null and p.confirmed_at is not null
        ), 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
      )
      from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    ),
    'paid_pence', coalesce((
      select sum(r.amount) from records r where r.kind = 'payment' and r.status = 'succeeded' and r.currency = 'gbp'
    ), 0),
    -- A refund that failed after it had succeeded leaves a record of each.
    'refunded_pence', coalesce((
      select sum(x.amount) from private.refunds_and_disputes x join public.stripe_customers c using (customer_id)
      where c.user_id = member and x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.currency = 'gbp'
    ), 0),
    'records', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.happened_at desc, l.id desc) from (
        select r.id, r.kind, r.status, r.amount, r.currency, r.reason, r.happened_at
        from records r order by r.happened_at desc, r.id desc limit 10
      ) l
    ), '[]')
  )
$$;
comment on function private.member_billing(uuid) is
  'Membership of a member and a summary of the payments, for administrators; totals in pence, of payments in pounds.';

-- The newest events behind each counter, five of each kind and category.
create function private.member_progress(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'completions', coalesce((
      select jsonb_agg(jsonb_build_object('level', c.level, 'completed_at', c.completed_at) order by c.level)
      from public.level_completions c where c.user_id = member
    ), '[]'),
    'requirements', coalesce((
      select jsonb_agg(jsonb_build_object(
        'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed,
        'count', coalesce((
          select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
        ), 0)
      ) order by r.level, r.kind)
      from public.level_requirements r
    ), '[]'),
    'evidence', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'kind', e.counter, 'category', e.category, 'label', s.label, 'path', s.path, 'happened_at', e.happened_at
      ) order by e.id desc)
      from (
        select l.*, k.counter, row_number() over (partition by k.counter, l.category order by l.id desc) as place
        from private.progress_ledger l
        join (values
          ('room_opened', 'rooms'), ('submission', 'submissions'), ('message', 'engagements'), ('like', 'engagements'),
          ('article_read', 'articles'), ('course_completed', 'courses')
        ) k (kind, counter) on k.kind = l.kind
        where l.user_id = member
      ) e
      left join lateral private.progress_event_subject(member, 4, e.kind, e.reference) s on true
      where e.place <= 5
    ), '[]')
  )
$$;
comment on function private.member_progress(uuid) is 'Requirements of each level with a member''s counts and newest events, for administrators.';

create function private.member_conduct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with reports as (
    select r.id, r.kind, r.subject_id, r.category, coalesce(r.reason, '') as reason,
      coalesce(r.snapshot ->> 'content', r.snapshot ->> 'bio', '') as content,
      r.decision, r.created_at, r.user_id as reporter, r.author_id as author
    from private.reports r
    where r.user_id = member or r.author_id = member
  )
  select jsonb_build_object(
    'submission_count', (select count(*) from public.learning_submissions s where s.user_id = member),
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc) from (
        select s.id, s.submission_type, s.title, s.is_featured, s.like_count, s.comment_count, s.created_at
        from public.learning_submissions s where s.user_id = member order by s.created_at desc, s.id limit 10
      ) n
    ), '[]'),
    'reports_made', (select count(*) from reports r where r.reporter = member),
    'reports_received', (select count(*) from reports r where r.author = member),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'is_about_member', n.author = member, 'other_id', case when n.author = member then n.reporter else n.author end,
        'other_name', private.account_label(case when n.author = member then n.reporter else n.author end),
        'kind', n.kind, 'category', n.category, 'reason', n.reason, 'content', left(n.content, 300), 'decision', n.decision,
        'room', (private.reported(n.kind, n.subject_id)).place ->> 'room_name', 'created_at', n.created_at
      ) order by n.id desc) from (select r.* from reports r order by r.id desc limit 20) n
    ), '[]')
  )
$$;
comment on function private.member_conduct(uuid) is 'Submissions of a member, and reports by and about them, for administrators.';

-- @rpc authenticated
-- Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.
create function private.member_detail(member uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  perform private.require_account(member);
  return jsonb_build_object(
    'account', private.member_account(member),
    'billing', private.member_billing(member),
    'progress', private.member_progress(member),
    'conduct', private.member_conduct(member),
    'identity', jsonb_build_object(
      'is_flagged', exists (
        select from private.account_flags f where f.user_id = member and f.reason = 'verification_attempts_exhausted'
          and f.closed_at is null
      ),
      'documents', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', v.id, 'document_type', v.document_type, 'status', v.status, 'rejected_reason', v.rejected_reason,
          'submitted_at', v.submitted_at, 'reviewed_at', v.reviewed_at
        ) order by v.submitted_at desc) from public.user_verifications v where v.user_id = member
      ), '[]')
    ),
    'notes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'author', private.account_label(n.author), 'created_at', n.created_at
      ) order by n.id desc) from private.member_notes n where n.user_id = member
    ), '[]'),
    'audit', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.happened_at desc, e.id desc)
      from private.audit_rows(null, false, null, member::text, null, null, null, 20) e
    ), '[]')
  );
end
$$;
comment on function private.member_detail(uuid) is 'All parts of the administrators'' view of one account; raises FF510.';
