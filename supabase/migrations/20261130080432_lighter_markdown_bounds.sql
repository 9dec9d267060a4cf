create or replace function private.markdown_issue (
  markdown text
)
  returns jsonb
  language sql
  immutable
  set search_path to ''
  AS $function$
  with lines as materialized (
    select l.place, l.line, octet_length(l.line) - octet_length(ltrim(l.line, E' \t')) as indentation
    from string_to_table(replace(replace(markdown, E'\r\n', E'\n'), E'\r', E'\n'), E'\n') with ordinality l (line, place)
    -- One more than there may be.
    limit 5001
  -- Materialized, so that a line is read once and not for each of the figures that come from it.
  ), starts as materialized (
    select l.place, l.line, l.indentation,
      l.indentation + 3 * (l.indentation - char_length(replace(left(l.line, l.indentation), E'\t', ''))) as columns,
      -- Lists, quotes and footnotes that begin on the line. More than are allowed fit into these characters, as names of footnotes have 999
      -- at most, or there are more spaces between them than are allowed.
      (regexp_match(
        substr(l.line, l.indentation + 1, 25000),
        '^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$)|\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:))*'
      ))[1] as opened
    from lines l
  ), begins as materialized (
    select s.place, s.line, s.indentation, s.columns,
      -- The signs of a footnote's name are none of lists.
      case when strpos(s.opened, '[') = 0 then s.opened
        else regexp_replace(s.opened, '\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:', '>', 'g') end as opened
    from starts s
  ), opens as materialized (
    select b.place, b.line, b.indentation, b.columns,
      char_length(b.opened) - char_length(translate(b.opened, '>-+*.)', '')) as opened,
      char_length(b.opened) - char_length(translate(b.opened, E' \t', ''))
        + 3 * (char_length(b.opened) - char_length(replace(b.opened, E'\t', ''))) as columns_between
    from begins b
  ), measured as (
    -- Each but the first is a space away from the one before. What is indented further may be inside of what earlier lines began.
    select s.place, s.columns + greatest(s.columns_between - s.opened, 0) as columns, s.opened,
      octet_length(s.line) - octet_length(translate(s.line, '*_~[]<&`', '')) as signs,
      octet_length(s.line) - octet_length(replace(s.line, '|', '')) as pipes,
      -- A paragraph ends here, whatever it stands in.
      sum(case when s.indentation = char_length(s.line) or s.line ~ '^ {0,3}>( {0,4}>)*[ \t]*$' then 1 else 0 end)
        over (order by s.place) as part,
      -- The line below the heads of a table.
      strpos(s.line, '|') > 0 and strpos(s.line, '-') > 0 and translate(s.line, E' \t>|:-', '') = '' as is_rule
    from opens s
  ), totals as (
    select m.place, m.columns, m.opened, m.signs,
      sum(m.signs) over (order by m.place) as signs_so_far, sum(m.opened) over (order by m.place) as opened_so_far
    from measured m
  ), parts as (
    select min(m.place) filter (where m.signs > 0) as place, sum(m.signs) as signs from measured m group by m.part
  ), tables as (
    select min(m.place) filter (where m.pipes > 0) as place, (max(m.pipes) + 1) * count(*) as cells
    from measured m group by m.part having bool_or(m.is_rule)
  ), table_totals as (
    select t.place, sum(t.cells) over (order by t.place) as cells_so_far from tables t
  ), issues as (
    select l.place, 'The text has over 5,000 lines. Divide it into several texts.' as message
    from lines l where l.place > 5000
    union all
    select t.place, 'Lists, quotes and footnotes are nested too deeply here. Use at most 20 levels, and indent by 40 columns at most.'
    from totals t where t.opened > 0 and t.opened + t.columns / 2 > 20
    union all
    select t.place, 'The text has over 3,000 list items, quoted lines and footnotes up to here. Divide it into several texts.'
    from totals t where t.opened_so_far > 3000
    union all
    select p.place, 'This paragraph has over 2,000 of the signs * _ ~ [ ] < & `. Divide it with empty lines.'
    from parts p where p.signs > 2000
    union all
    select t.place, 'The text has over 12,000 of the signs * _ ~ [ ] < & ` up to here. Divide it into several texts.'
    from totals t where t.signs_so_far > 12000
    union all
    select t.place, 'The tables have over 10,000 cells up to here. Divide the text, or leave rows or columns out.'
    from table_totals t where t.cells_so_far > 10000
  )
  select jsonb_build_object('line', i.place, 'message', i.message) from issues i order by i.place limit 1
$function$;
