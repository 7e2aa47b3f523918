import { ScreenTitle } from '#web/head/screen-title.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { LookBack } from './look-back.tsx'

/** The past of all projects of the user. */
export default function CalendarScreen() {
  return (
    <Page>
      <ScreenTitle>Look back</ScreenTitle>
      <PageHeader title="Look back" lede="What happened in all your projects, day by day" />
      <LookBack />
    </Page>
  )
}
