BEGIN TRANSACTION;
CREATE TABLE derived (
    name TEXT PRIMARY KEY, build TEXT NOT NULL, generation INTEGER NOT NULL, rows INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "derived" VALUES('lexical-1','lexical-1-0aad1998',1,30);
CREATE TABLE models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER);
CREATE TABLE papers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    published TEXT NOT NULL,
    updated TEXT NOT NULL,
    categories TEXT NOT NULL,
    doi TEXT,
    journal_ref TEXT,
    comment TEXT,
    abstract_kind TEXT NOT NULL,
    month TEXT NOT NULL,
    digest BLOB NOT NULL,
    text BLOB NOT NULL,
    generation INTEGER NOT NULL
);
INSERT INTO "papers" VALUES(20,'1709.09994',1,'Premise Selection for Theorem Proving by Deep Graph Embedding','The paper proposes an approach to premise selection, the choice of statements that help to prove a conjecture. Formulas of higher-order logic become graphs that do not depend on the names of variables, and an embedding method keeps the order of edges. Accuracy on the HolStep dataset rises from 83% to 90.3%.','["Mingzhe Wang", "Yihe Tang", "Jian Wang", "Jia Deng"]','2017-09-28','2017-09-28','cs.AI cs.LG cs.LO',NULL,NULL,NULL,'summary','1709',X'1ACC4E3E4A015CA65801ABC21A0AFE563834FE87D1CE7FF0C5D53CFB0E1836A7',X'74A0CE4D57FD503C2591FBFC8EF6C634',1);
INSERT INTO "papers" VALUES(30,'1802.03480',1,'GraphVAE: Towards Generation of Small Graphs Using Variational Autoencoders','The paper describes GraphVAE, a variational autoencoder that generates small graphs. Its decoder outputs a fully connected probabilistic graph of bounded size in one step, and so avoids the difficulty of turning a discrete structure into a sequence. The generation of molecules serves as the test.','["Martin Simonovsky", "Nikos Komodakis"]','2018-02-09','2018-02-09','cs.LG cs.CV cs.NE',NULL,NULL,NULL,'summary','1802',X'FFEC095812AD175B5A42D89845184B37E54CFAA926ADD463A6C030589D2379CE',X'E796141CB24A5C35F7B400FBEAEAE9CF',1);
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "state" VALUES('generation',1);
CREATE TABLE unread (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models,
    text BLOB NOT NULL,
    vector BLOB NOT NULL,
    generation INTEGER NOT NULL
);
CREATE INDEX papers_generation ON papers (generation);
CREATE INDEX papers_text ON papers (text);
CREATE INDEX papers_month ON papers (month);
CREATE INDEX papers_filter ON papers (published, categories, id, text);
CREATE UNIQUE INDEX vectors_text ON vectors (model, text);
CREATE INDEX vectors_generation ON vectors (model, generation);
CREATE INDEX papers_doi ON papers (lower(doi)) WHERE doi IS NOT NULL;
CREATE INDEX papers_dois ON papers (doi) WHERE doi GLOB '*[ ,;:/#]10.*'
;
COMMIT;
PRAGMA user_version = 1;
