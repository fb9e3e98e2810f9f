BEGIN_MODULE
 NAME plugin_nas_sp
 DESC "Plugin for the NAS SP kernel"
 LANGUAGE FORTRAN
 TYPE APPLICATION
  adi()
  BEGIN
   EVENT ("New loop")
  END
  copy_faces()
  txinvr()
  x_solve()
  y_solve()
  z_solve()
  add()
END_MODULE
