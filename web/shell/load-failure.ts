/** Shows that the scripts of the page could not be fetched, and offers to reload it: the page is that of a visitor until then. */
export function showLoadFailure(): void {
  delete document.documentElement.dataset.session
  const message = document.createElement('div')
  message.role = 'alert'
  message.className =
    'fixed inset-x-0 bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 text-sm text-ink shadow-lg'
  const reload = document.createElement('button')
  reload.className = 'rounded-sm px-2 py-1 font-semibold text-accent hover:text-accent-strong'
  reload.textContent = 'Reload the page'
  reload.addEventListener('click', () => location.reload())
  message.append('This page could not be loaded completely. Check your connection, then reload it.', reload)
  document.body.append(message)
}
