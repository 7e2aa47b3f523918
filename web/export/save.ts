/** Starts a download without leaving the page, even if the server refuses it. The browser shows its progress. */
export function saveAs(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
