-- Certificates of finished courses. What one says is what was true when the course was finished.

-- A hundred random bits, in letters and digits that are not mistaken for each other on paper.
create function private.new_public_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', get_byte(r.bytes, i) % 32 + 1, 1), '' order by i)
  from (select extensions.gen_random_bytes(20) as bytes) as r, generate_series(0, 19) as i
$$;
comment on function private.new_public_code() is 'A new code that opens something public: twenty characters, impossible to guess.';

create function private.tidy_public_code(typed text) returns text
  language sql immutable set search_path = '' as $$
  select translate(regexp_replace(lower(left(typed, 60)), '[\s-]', '', 'g'), 'oil', '011')
$$;
comment on function private.tidy_public_code(text) is 'The code as it is stored, from one that was typed from paper.';

create table private.certificates (
  id uuid primary key default gen_random_uuid(),
  code text not null unique default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  mentor_id uuid references public.profiles (id) on delete set null,
  member_name text not null,
  course_title text not null,
  mentor_name text,
  completed_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid references auth.users (id) on delete set null,
  revoked_reason text,
  constraint certificates_course_key unique (user_id, course_id),
  constraint certificates_mentor_check check (mentor_id is not null or mentor_name is null),
  constraint certificates_revoked_check check ((revoked_at is null) = (revoked_reason is null))
);
comment on table private.certificates is 'Certificates of finished courses, with the names and the title of that day. Written by a trigger.';
comment on column private.certificates.code is 'Opens the public page that verifies it.';
comment on column private.certificates.mentor_name is 'Null for the product''s own courses, and when the mentor''s account was deleted.';
create index certificates_course_id_idx on private.certificates (course_id);
create index certificates_mentor_id_idx on private.certificates (mentor_id);
create index certificates_revoked_by_idx on private.certificates (revoked_by);
alter table private.certificates enable row level security;

create function private.tg_certificates__forget_mentor() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.mentor_name := null;
  return new;
end
$$;
create trigger certificates__forget_mentor before update of mentor_id on private.certificates
  for each row when (new.mentor_id is null) execute function private.tg_certificates__forget_mentor();

create function private.display_name(member uuid) returns text
  language sql stable set search_path = '' as $$
  select nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), '') from public.profiles p where p.id = member
$$;
comment on function private.display_name(uuid) is 'First and last name of an account; null without either.';

create function private.issue_certificate(member uuid, course uuid, at timestamptz) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.certificates (user_id, course_id, mentor_id, member_name, course_title, mentor_name, completed_at)
  select member, c.id, m.id, coalesce(private.display_name(member), 'A member'), c.title, private.display_name(m.id), at
  from public.courses c left join public.profiles m on m.id = c.mentor_id
  -- Nobody certifies themselves.
  where c.id = course and c.mentor_id is distinct from member
  on conflict do nothing
$$;
comment on function private.issue_certificate(uuid, uuid, timestamptz) is
  'Issues the certificate of a member for a course of another that they finished, once.';

-- A completion is computed by refresh_progress alone, and what a client sends is coerced before.
create function private.tg_course_enrollments__certify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_certificate(new.user_id, new.course_id, new.completed_at);
  return null;
end
$$;
create trigger course_enrollments__certify after update of completed_at on public.course_enrollments
  for each row when (old.completed_at is null and new.completed_at is not null)
  execute function private.tg_course_enrollments__certify();

-- Open to former members too: what they finished stays theirs.
-- @rpc authenticated (certificate_id)
-- What one of the caller's certificates says; null for any other.
create function private.my_certificate(certificate uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return (
    select jsonb_build_object(
      'id', c.id, 'code', c.code, 'name', c.member_name, 'course', c.course_title, 'mentor', c.mentor_name,
      'completed_on', (c.completed_at at time zone 'utc')::date, 'is_revoked', c.revoked_at is not null
    )
    from private.certificates c where c.id = certificate and c.user_id = caller
  );
end
$$;
comment on function private.my_certificate(uuid) is 'One certificate of the caller; null for any other.';

-- Visitors have no account, so their address is counted, as a keyed hash that is forgotten after an hour.
create table private.visitor_usage (
  visitor text not null constraint visitor_usage_visitor_check check (visitor ~ '^[0-9a-f]{64}$'),
  action text not null references private.rate_limits (action) on delete cascade,
  recent timestamptz[] not null,
  last_at timestamptz not null,
  primary key (visitor, action)
);
comment on table private.visitor_usage is 'Recent uses of limited actions by visitors without an account, for an hour.';
comment on column private.visitor_usage.visitor is 'A keyed hash of the address, with a key that changes every day. Edge functions compute it.';
create index visitor_usage_last_at_idx on private.visitor_usage (last_at);
create index visitor_usage_action_idx on private.visitor_usage (action);
alter table private.visitor_usage enable row level security;

create function private.enforce_visitor_limit(visitor text, action text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed constant private.rate_limits := (select l from private.rate_limits l where l.action = enforce_visitor_limit.action);
  at constant timestamptz := clock_timestamp();
  used timestamptz[];
begin
  delete from private.visitor_usage u where u.ctid in (
    select o.ctid from private.visitor_usage o where o.last_at < at - interval '1 hour' limit 100 for update skip locked
  );
  insert into private.visitor_usage as u (visitor, action, recent, last_at)
  values (enforce_visitor_limit.visitor, allowed.action, array[at], at)
  on conflict on constraint visitor_usage_pkey do update set
    recent = array(select t from unnest(u.recent) t where t > at - allowed.period order by t limit allowed.max_count) || at, last_at = at
  returning recent into used;
  if cardinality(used) > allowed.max_count then
    perform private.fail(
      'FF300', 'You are going too fast. Wait a moment and try again.',
      ceil(extract(epoch from used[1] + allowed.period - at))::text
    );
  end if;
end
$$;
comment on function private.enforce_visitor_limit(text, text) is 'Counts one use of a limited action by a visitor; FF300 above the limit. A refused use is not counted.';

-- The one answer about a certificate that is public. Visitors have no privilege: the edge function verify-certificate calls it.
-- @rpc service_role
-- Server: what the certificate with this code says.
create function private.verify_certificate(code text, visitor text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_visitor_limit(visitor, 'public_code');
  return (
    select jsonb_build_object(
      'name', c.member_name, 'course', c.course_title, 'mentor', c.mentor_name,
      'completed_on', (c.completed_at at time zone 'utc')::date, 'is_revoked', c.revoked_at is not null
    )
    from private.certificates c where c.code = private.tidy_public_code(verify_certificate.code)
  );
end
$$;
comment on function private.verify_certificate(text, text) is 'What a certificate says, for everybody who knows its code; null for an unknown code, FF300 above thirty a minute.';

-- @rpc authenticated
-- Administrators: revokes the certificate with this code.
create function private.revoke_certificate(code text, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.trimmed_message(reason);
  revoked private.certificates;
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF861', 'Give a reason of up to 500 characters.');
  end if;
  update private.certificates c set revoked_at = now(), revoked_by = admin, revoked_reason = why
  where c.code = private.tidy_public_code(revoke_certificate.code) and c.revoked_at is null returning c.* into revoked;
  if not found then
    perform private.fail('FF862', 'No valid certificate has this code.');
  end if;
  perform private.audit(admin, 'certificate.revoked', revoked.user_id, jsonb_build_object(
    'certificate', revoked.id, 'reason', why, 'before', jsonb_build_object('revoked_at', null),
    'after', jsonb_build_object('revoked_at', revoked.revoked_at)
  ));
end
$$;
comment on function private.revoke_certificate(text, text) is 'Administrators with a second factor: revokes a certificate; audited. FF861 without a reason, FF862.';
