# Paper 002 (CCGrid 2011), figure 7: one function. The module around it is added.
BEGIN_MODULE
NAME jobs
ID 11
int submit_jobs(int nb_jobs)
BEGIN
ADD_VAR("Number of jobs", nb_jobs)
CALL_FUNC
EVENT("New jobs")
END
END_MODULE
