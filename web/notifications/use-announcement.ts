import { useState } from 'react'

/** What to tell, once, when there are more unread notifications than a moment ago; empty when there is nothing to tell. */
export function useAnnouncement(unread: number | undefined): string {
  const [known, setKnown] = useState(unread)
  const [text, setText] = useState('')
  if (unread !== known) {
    setKnown(unread)
    const isNews = known !== undefined && unread !== undefined && unread > known
    setText(isNews ? `New notification. ${unread} unread.` : '')
  }
  return text
}
