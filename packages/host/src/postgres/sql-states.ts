/** SQLSTATE codes that the host looks at or answers with, by the condition names of Postgres. */
export const sqlStates = {
  characterNotInRepertoire: "22021",
  numericValueOutOfRange: "22003",
  invalidParameterValue: "22023",
  invalidTextRepresentation: "22P02",
  cardinalityViolation: "21000",
  foreignKeyViolation: "23503",
  uniqueViolation: "23505",
  readOnlyTransaction: "25006",
  /** No such prepared statement. */
  undefinedStatement: "26000",
  invalidAuthorization: "28000",
  insufficientPrivilege: "42501",
  undefinedColumn: "42703",
  /** Also the code of an unknown type. */
  undefinedObject: "42704",
  datatypeMismatch: "42804",
  undefinedFunction: "42883",
  undefinedTable: "42P01",
  invalidObjectDefinition: "42P17",
  tooManyConnections: "53300",
  configurationLimitExceeded: "53400",
  lockNotAvailable: "55P03",
  /** The statement was cancelled, also by its timeout. */
  queryCanceled: "57014",
  adminShutdown: "57P01",
  cannotConnectNow: "57P03",
  /** `raise exception` without a code of its own. */
  raiseException: "P0001",
  internalError: "XX000",
} as const;
