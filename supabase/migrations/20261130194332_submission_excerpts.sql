create or replace function private.search_library (
  query       text,
  max_results integer default 20
)
  returns table (
    kind     text,
    id       text,
    title    text,
    excerpt  text,
    category text,
    path     text,
    rank     real
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words constant text[] := private.typed_words(query);
  typed constant text := ' ' || array_to_string(words, ' ');
  term tsquery;
  every_word tsquery;
  any_word tsquery;
  wanted tsquery;
begin
  for place in 1 .. cardinality(words) loop
    term := private.search_term(words[place], place = cardinality(words), caller, level);
    if term is not null then
      every_word := coalesce(every_word && term, term);
      any_word := coalesce(any_word || term, term);
    end if;
  end loop;
  foreach wanted in array array[every_word, any_word] loop
    return query
      with hits as (
        select d.kind, d.id, d.title, d.excerpt, d.category, d.path, d.body, d.document,
          ts_rank(d.document, wanted, 1) as rank,
          -- A submission may use a word more often than the article that is about it: a title decides before counts do, and
          -- before both the title that is being typed, with its stop words and in its order.
          case
            when d.kind = 'submission' then case when ts_filter(d.document, '{a}') @@ wanted then 1 else 2 end
            when not ts_filter(d.document, '{a}') @@ wanted then 1
            when strpos(' ' || array_to_string(private.typed_words(d.title), ' '), typed) > 0 then -1
            else 0
          end as tier
        from private.search_documents d
        where d.document @@ wanted and (d.is_public and d.min_level <= level or d.owner_id = caller)
        order by tier, rank desc, d.title, d.id
        limit least(greatest(coalesce(max_results, 20), 1), 50)
      )
      select f.kind, f.id, f.title,
        case
          -- The summary that an author wrote stands for the whole; of a submission there is only its text.
          when f.body = '' or f.kind <> 'submission' and ts_filter(f.document, '{a,b}') @@ wanted then f.excerpt
          else private.excerpt(f.body, f.document, wanted, '', '', false)
        end,
        f.category, f.path, f.rank
      from hits f order by f.tier >= 0, f.tier > 0, f.kind = 'submission', f.rank desc, f.title, f.id;
    exit when found;
  end loop;
end
$function$;
