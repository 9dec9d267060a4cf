-- Members update their card and change their plan themselves. docs/subsystems/billing.md explains the functions.

insert into private.rate_limits (action, max_count, period) values
  ('update_card', 30, '1 hour'), ('change_plan', 60, '1 hour'), ('preview_code', 30, '1 hour');

create or replace function private.enforce_function_rate_limit(member uuid, action text) returns void
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
