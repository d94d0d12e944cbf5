-- What questions see. all_tasks and all_results are the rows of every part; of several rows with one key the last counts.
CREATE VIEW latest AS
SELECT key, max(part) AS part FROM all_tasks GROUP BY key;

-- version_order: numbers, so that 3.10 comes after 3.9; null where the version is the hash of a file.
CREATE VIEW tasks AS
SELECT * EXCLUDE (report, part),
    try_cast(string_split(regexp_extract(version, '^[0-9]+(\.[0-9]+)+'), '.') AS INTEGER[]) AS version_order
FROM all_tasks SEMI JOIN latest USING (key, part);

CREATE VIEW results AS
SELECT t.model, t.library, t.spec, t.profile, t.version, t.version_order, t.base, r.* EXCLUDE (library, part)
FROM all_results r SEMI JOIN latest USING (key, part) JOIN tasks t USING (key);

CREATE VIEW reports AS
SELECT key, model, spec, version, report
FROM all_tasks SEMI JOIN latest USING (key, part) WHERE report IS NOT NULL;

-- A statement may read the dataset and compute; it reaches nothing else of the machine.
SET allowed_directories = [{folder}];
SET enable_external_access = false;
SET lock_configuration = true;
