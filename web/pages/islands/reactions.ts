type Reaction = { kind: string; count: number; isMine: boolean }

/** Fetches the numbers of reactions to an entry (`ReactionForm`), and sends those that the reader gives or takes back. */
export async function showReactions(form: HTMLElement): Promise<void> {
  const path = form.getAttribute('action') ?? ''
  const buttons = [...form.querySelectorAll('button')]
  const message = form.querySelector('output')

  async function send(body?: URLSearchParams) {
    const response = await fetch(path, {
      headers: { accept: 'application/json' },
      ...(body && { method: 'POST', body }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.message)
    for (const { kind, count, isMine } of answer as Reaction[]) {
      const button = buttons.find(({ value }) => value === kind)
      const number = button?.querySelector('span span')
      if (!button || !number) continue
      number.textContent = count > 0 ? String(count) : ''
      button.name = isMine ? 'take' : 'give'
      button.setAttribute('aria-pressed', String(isMine))
    }
  }

  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button) return
    event.preventDefault()
    send(new URLSearchParams([[button.name, button.value]])).then(
      () => message?.replaceChildren(),
      (error: unknown) => message?.replaceChildren(error instanceof Error ? error.message : String(error)),
    )
  })
  await send()
}
