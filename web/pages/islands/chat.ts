import { chatSchedule, messageClasses } from '#web/landing/chat.ts'

/** Animates the conversations of the landing page (`VoicesSection`). They pause while the page is hidden. */
export function animateChat(chat: HTMLElement): void {
  const conversations = [...chat.querySelectorAll('ol')].map((list) => [...list.children])
  const dots = [...chat.querySelectorAll<HTMLButtonElement>('[data-conversation]')]
  const pause = chat.querySelector<HTMLButtonElement>('[data-pause]')
  const typing = chat.querySelector<HTMLElement>('[data-typing]')
  const sizes = conversations.map((messages) => messages.length)
  const steps = chatSchedule(sizes)
  const motion = matchMedia('(prefers-reduced-motion: reduce)')
  let index = 0
  let isPaused = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function show() {
    clearTimeout(timer)
    const step = steps[index]
    if (!step) return
    const isStill = isPaused || motion.matches
    const shown = isStill ? (sizes[step.group] ?? 0) : step.shown
    for (const [group, messages] of conversations.entries())
      for (const [at, message] of messages.entries())
        showMessage(message, group !== step.group ? 'elsewhere' : at < shown ? 'visible' : 'waiting')
    const typed = step.typing && !isStill ? conversations[step.group]?.[shown] : undefined
    if (!typed) typing?.remove()
    else if (typing && typing.parentElement !== typed) showTyping(typing, typed)
    for (const [group, dot] of dots.entries()) {
      if (group === step.group) dot.setAttribute('aria-current', 'true')
      else dot.removeAttribute('aria-current')
    }
    if (!isStill && !document.hidden) timer = setTimeout(next, step.lasts)
  }

  function next() {
    index = (index + 1) % steps.length
    show()
  }

  for (const [group, dot] of dots.entries())
    dot.addEventListener('click', () => {
      index = steps.findIndex((step) => step.group === group)
      show()
    })
  pause?.addEventListener('click', () => {
    isPaused = !isPaused
    pause.toggleAttribute('data-paused', isPaused)
    pause.setAttribute('aria-label', isPaused ? 'Play conversations' : 'Pause conversations')
    show()
  })
  document.addEventListener('visibilitychange', show)
  motion.addEventListener('change', show)
  show()
}

type State = 'visible' | 'waiting' | 'elsewhere'

function showMessage({ firstElementChild: part }: Element, state: State) {
  const className = `${messageClasses.base} ${messageClasses[state]}`
  // An unchanged class does not start its animation again.
  if (part && part.className !== className) part.className = className
}

/** Moves the sign of typing to a message, in its bubble and with the name of its speaker. */
function showTyping(typing: HTMLElement, message: Element) {
  const [speaker, bubble] = message.firstElementChild?.children ?? []
  const own = typing.firstElementChild
  const words = typing.querySelector('.sr-only')
  if (own && bubble) own.className = bubble.className
  if (words) words.textContent = `${speaker?.textContent} is typing`
  message.append(typing)
}
