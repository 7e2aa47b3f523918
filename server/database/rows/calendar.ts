/** A project of whose anniversaries a person is not reminded. */
export type ForgottenAnniversaryRow = { user_id: string; project_id: string }

export type CalendarTables = {
  forgotten_anniversaries: ForgottenAnniversaryRow
}
