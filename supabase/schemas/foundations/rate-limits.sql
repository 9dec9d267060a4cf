-- Limits for each account and action. The owner may change them; a change applies at once.
create table private.rate_limits (
  action text primary key,
  max_count integer not null constraint rate_limits_max_count_check check (max_count > 0),
  period interval not null constraint rate_limits_period_check check (period > interval '0')
);
comment on table private.rate_limits is 'How many times an account may do something within any period of that length.';
alter table private.rate_limits enable row level security;

create table private.rate_usage (
  user_id uuid not null references auth.users (id) on delete cascade,
  action text not null,
  recent timestamptz[] not null default '{}',
  primary key (user_id, action)
);
comment on table private.rate_usage is 'Recent uses of limited actions, one row for each account and action.';
comment on column private.rate_usage.recent is 'Times of the uses within the period, oldest first, at most max_count.';
alter table private.rate_usage enable row level security;

-- The row is locked, so that two concurrent uses cannot both be the last. A refused use is rolled back and not counted.
create function private.enforce_rate_limit(member uuid, action text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  allowed private.rate_limits;
  used timestamptz[];
  at timestamptz;
begin
  select l.* into allowed from private.rate_limits l where l.action = enforce_rate_limit.action;
  if not found then
    raise exception 'there is no limit called %', enforce_rate_limit.action;
  end if;
  select u.recent into used from private.rate_usage u
  where u.user_id = member and u.action = enforce_rate_limit.action for update;
  if not found then
    insert into private.rate_usage (user_id, action) values (member, enforce_rate_limit.action) on conflict do nothing;
    select u.recent into used from private.rate_usage u
    where u.user_id = member and u.action = enforce_rate_limit.action for update;
  end if;
  at := clock_timestamp();
  used := array(select t from unnest(used) t where t > at - allowed.period order by t);
  if cardinality(used) >= allowed.max_count then
    perform private.fail(
      'FF300', 'You are going too fast. Wait a moment and try again.',
      ceil(extract(epoch from used[cardinality(used) - allowed.max_count + 1] + allowed.period - at))::text
    );
  end if;
  update private.rate_usage u set recent = used || at
  where u.user_id = member and u.action = enforce_rate_limit.action;
end
$$;
comment on function private.enforce_rate_limit(uuid, text) is
  'Counts one use of a limited action; raises FF300 above the limit, with the seconds to wait as detail.';

-- For edge functions, which verify the caller themselves and have no shared memory of their own.
-- @rpc service_role
-- Server: count one call of an edge function by an account; raises FF300 above the limit.
create function private.enforce_function_rate_limit(member uuid, action text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if action is null or action not in (
    'create_customer', 'purchase', 'change_renewal', 'change_plan', 'update_card', 'delete_account', 'preview_code'
  ) then
    raise exception 'no function has a limit called %', action;
  end if;
  perform private.enforce_rate_limit(member, action);
end
$$;
comment on function private.enforce_function_rate_limit(uuid, text) is 'Counts one call of an edge function by an account; raises FF300 above the limit.';
