type Searchable = { title: string; description: string }

/** Keeps what has the term in its title or description, in either case; a blank term keeps all. */
export function matching<T extends Searchable>(list: readonly T[], term: string): readonly T[] {
  const wanted = term.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter(
    ({ title, description }) =>
      title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}
