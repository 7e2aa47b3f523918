type Counts = { projects?: number; milestones?: number; entries?: number }

const written = (count: number) => count.toLocaleString('en')

/** Fetches the numbers of the landing page (`StatsBand`). One that cannot be loaded is shown as 0. */
export function showNumbers(band: HTMLElement): void {
  const write = (name: string, text: string) => {
    for (const element of band.querySelectorAll(`[data-number="${name}"]`)) element.textContent = text
  }
  void read<{ total?: number }>('/api/users/total-users').then(({ total = 0 }) =>
    write('users', `${written(total)}+`),
  )
  void read<Counts>('/api/projects/stats').then(({ projects = 0, milestones = 0, entries = 0 }) => {
    write('projects', `${written(projects)}+`)
    write('milestones', `${written(milestones)}+`)
    if (entries > 0) write('entries', `Over ${written(entries)} journal entries created!`)
  })
}

async function read<Found extends object>(path: string): Promise<Partial<Found>> {
  try {
    const response = await fetch(path)
    return response.ok ? await response.json() : {}
  } catch {
    return {} // zeros are shown
  }
}
