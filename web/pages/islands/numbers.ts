type Counts = { projects?: number; milestones?: number; entries?: number }

const written = (count: number) => count.toLocaleString('en')

/** Fetches the numbers of the landing page (`StatsBand`). One that cannot be loaded is shown as 0. */
export function showNumbers(band: HTMLElement): void {
  const write = (name: string, text: string) => {
    for (const element of band.querySelectorAll(`[data-number="${name}"]`)) element.textContent = text
  }

  async function showPeople() {
    const { total = 0 } = await read<{ total?: number }>('/api/users/total-users')
    write('users', `${written(total)}+`)
  }

  async function showContents() {
    const { projects = 0, milestones = 0, entries = 0 } = await read<Counts>('/api/projects/stats')
    write('projects', `${written(projects)}+`)
    write('milestones', `${written(milestones)}+`)
    if (entries > 0) write('entries', `Over ${written(entries)} journal entries created!`)
  }

  void showPeople()
  void showContents()
}

async function read<Found extends object>(path: string): Promise<Partial<Found>> {
  try {
    const response = await fetch(path)
    return response.ok ? await response.json() : {}
  } catch {
    return {} // zeros are shown
  }
}
