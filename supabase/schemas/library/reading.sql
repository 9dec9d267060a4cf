-- The update that fires this has locked the row, so the sum stays exact.
create function private.tg_articles__count_open() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not private.is_outside_caller() then
    return new;
  end if;
  if private.record_open(old.id, new.opened_from) then
    old.read_count := old.read_count + 1;
  end if;
  return old;
end
$$;
create trigger articles__count_open before update on public.articles
  for each row execute function private.tg_articles__count_open();

-- One request opens one article at most. This also prevents deadlocks between requests over several articles.
create function private.tg_articles__one_at_a_time() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (select count(*) from opened) > 1 then
    perform private.fail('FF402', 'Open one article at a time.');
  end if;
  return null;
end
$$;
create trigger articles__one_at_a_time after update on public.articles
  referencing new table as opened
  -- Checked in the trigger's condition: when an account is deleted, the auth service's role would run the function, and
  -- that role has no access to the schema private.
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function private.tg_articles__one_at_a_time();

create function private.require_readable(article uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.articles a
    where a.id = article and a.is_published and a.subcategory_id in (select private.caller_subcategories())
  ) then
    perform private.fail('FF401', 'This article is not open to you.');
  end if;
  if not exists (select from public.article_opens o where o.user_id = caller and o.article_id = article) then
    perform private.fail('FF403', 'Open the article before you mark it as read.');
  end if;
  perform private.enforce_rate_limit(caller, 'article_read');
end
$$;
comment on function private.require_readable(uuid) is
  'Raises FF401, FF403 or FF300 unless the caller may mark the article as read now.';
grant execute on function private.require_readable to authenticated;

create function private.tg_article_reads__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next. The primary key refuses a second one.
  if private.is_outside_caller() and new.user_id = auth.uid()
    and not exists (
      select from public.article_reads r where r.user_id = new.user_id and r.article_id = new.article_id
    )
  then
    perform private.require_readable(new.article_id);
  end if;
  return new;
end
$$;
create trigger article_reads__guard_insert before insert on public.article_reads
  for each row execute function private.tg_article_reads__guard_insert();

-- Authors read their own articles as members do, but nobody rises by their own text.
create function private.tg_article_reads__record() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'article_read', new.article_id::text, s.main_category)
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = new.article_id and a.author_id is distinct from new.user_id;
  return null;
end
$$;
create trigger article_reads__record after insert on public.article_reads
  for each row execute function private.tg_article_reads__record();
